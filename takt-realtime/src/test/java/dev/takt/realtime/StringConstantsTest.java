package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StringConstantsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Each has one constant, which nothing has used before it is asked. */
  private interface Speaker {
    String say();
  }

  private static final class First implements Speaker {
    @Override
    public String say() {
      return "said first, so that all but the constant is there";
    }
  }

  private static final class Unprepared implements Speaker {
    @Override
    public String say() {
      return "said by one whom nobody mentions";
    }
  }

  private static final class Near implements Speaker {
    Speaker far() {
      return new Far();
    }

    @Override
    public String say() {
      return "said by one whom the user mentions";
    }
  }

  private static final class Far implements Speaker {
    @Override
    public String say() {
      return "said by one whom someone mentions whom the user mentions";
    }
  }

  private static final class Mentioning implements Runnable {
    private final Near near = new Near();

    @Override
    public void run() {
      near.say();
    }
  }

  private static final class MentionedByLambda implements Speaker {
    @Override
    public String say() {
      return "said by one whom only a lambda mentions";
    }
  }

  private static final class Making {
    static Runnable body(Speaker speaker) {
      return () -> ((MentionedByLambda) speaker).say();
    }
  }

  @BeforeEach
  void sayFirst() {
    bytesToSay(new First());
  }

  @Test
  void shouldFindThatAConstantIsMadeOnTheThreadThatUsesItFirst() {
    assertThat(bytesToSay(new Unprepared())).isPositive();
  }

  @Test
  void shouldMakeConstantsBeforeTheyAreUsedWhereTheUserMentionsTheirClass() {
    StringConstants.prepare(Mentioning.class);

    Near near = new Near();
    assertThat(bytesToSay(near)).isZero();
    assertThat(bytesToSay(near.far())).isZero();
  }

  @Test
  void shouldMakeTheConstantsThatALambdaMentions() {
    MentionedByLambda speaker = new MentionedByLambda();

    StringConstants.prepare(Making.body(speaker).getClass());

    assertThat(bytesToSay(speaker)).isZero();
  }

  @Test
  void shouldPassOverAClassWhoseFileIsNotFound() throws Exception {
    Class<?> hidden =
        new ClassLoader(null) {
          Class<?> define(byte[] file) {
            return defineClass(null, file, 0, file.length);
          }

          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            return Class.forName(name, false, StringConstantsTest.class.getClassLoader());
          }
        }.define(
            Mentioning.class
                .getResourceAsStream("StringConstantsTest$Mentioning.class")
                .readAllBytes());
    assertThat(hidden).isNotEqualTo(Mentioning.class);

    StringConstants.prepare(hidden);
  }

  private static long bytesToSay(Speaker speaker) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    speaker.say();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
