package dev.takt.bench.rtj;

/** Ten types and ten interfaces in two chains, for {@link LoadingCase}. */
final class ChainedTypes {
  private ChainedTypes() {}

  interface Face0 {
    int number0();
  }

  interface Face1 extends Face0 {
    int number1();
  }

  interface Face2 extends Face1 {
    int number2();
  }

  interface Face3 extends Face2 {
    int number3();
  }

  interface Face4 extends Face3 {
    int number4();
  }

  interface Face5 extends Face4 {
    int number5();
  }

  interface Face6 extends Face5 {
    int number6();
  }

  interface Face7 extends Face6 {
    int number7();
  }

  interface Face8 extends Face7 {
    int number8();
  }

  interface Face9 extends Face8 {
    int number9();
  }

  static class Type0 implements Face0 {
    static int made0 = 0;

    @Override
    public int number0() {
      return made0;
    }
  }

  static class Type1 extends Type0 implements Face1 {
    static int made1 = 1;

    @Override
    public int number1() {
      return made1;
    }
  }

  static class Type2 extends Type1 implements Face2 {
    static int made2 = 2;

    @Override
    public int number2() {
      return made2;
    }
  }

  static class Type3 extends Type2 implements Face3 {
    static int made3 = 3;

    @Override
    public int number3() {
      return made3;
    }
  }

  static class Type4 extends Type3 implements Face4 {
    static int made4 = 4;

    @Override
    public int number4() {
      return made4;
    }
  }

  static class Type5 extends Type4 implements Face5 {
    static int made5 = 5;

    @Override
    public int number5() {
      return made5;
    }
  }

  static class Type6 extends Type5 implements Face6 {
    static int made6 = 6;

    @Override
    public int number6() {
      return made6;
    }
  }

  static class Type7 extends Type6 implements Face7 {
    static int made7 = 7;

    @Override
    public int number7() {
      return made7;
    }
  }

  static class Type8 extends Type7 implements Face8 {
    static int made8 = 8;

    @Override
    public int number8() {
      return made8;
    }
  }

  static class Type9 extends Type8 implements Face9 {
    static int made9 = 9;

    @Override
    public int number9() {
      return made9;
    }
  }
}
