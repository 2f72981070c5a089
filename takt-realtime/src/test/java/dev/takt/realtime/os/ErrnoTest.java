package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrnoTest {
  @Test
  void shouldNameEachNumberThatLinuxGives() {
    assertThat(Errno.of(0)).isEqualTo(Errno.NONE);
    assertThat(Errno.of(1)).isEqualTo(Errno.EPERM);
    assertThat(Errno.of(3)).isEqualTo(Errno.ESRCH);
    assertThat(Errno.of(11)).isEqualTo(Errno.EAGAIN);
    assertThat(Errno.of(12)).isEqualTo(Errno.ENOMEM);
    assertThat(Errno.of(22)).isEqualTo(Errno.EINVAL);
    assertThat(Errno.of(35)).isEqualTo(Errno.EDEADLK);
    assertThat(Errno.of(38)).isEqualTo(Errno.ENOSYS);
    assertThat(Errno.of(110)).isEqualTo(Errno.ETIMEDOUT);
    assertThat(Errno.values())
        .allSatisfy(each -> assertThat(Errno.of(each.number())).isEqualTo(each));
  }

  @Test
  void shouldGiveUnknownWhenNumberIsNotListed() {
    assertThat(Errno.of(2)).isEqualTo(Errno.UNKNOWN);
    assertThat(Errno.of(-1)).isEqualTo(Errno.UNKNOWN);
    assertThat(Errno.of(Integer.MAX_VALUE)).isEqualTo(Errno.UNKNOWN);
    assertThat(Errno.of(Integer.MIN_VALUE)).isEqualTo(Errno.UNKNOWN);
  }

  @Test
  void shouldTellResultsFromErrors() {
    assertThat(Errno.ofResult(0)).isEqualTo(Errno.NONE);
    assertThat(Errno.ofResult(7)).isEqualTo(Errno.NONE);
    assertThat(Errno.ofResult(-22)).isEqualTo(Errno.EINVAL);
  }
}
