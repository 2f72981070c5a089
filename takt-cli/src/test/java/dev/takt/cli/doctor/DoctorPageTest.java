package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that explains the findings explains all of them. */
class DoctorPageTest {
  @TempDir private Path folder;

  @Test
  void shouldExplainEveryFindingAndFile() throws IOException {
    String page = Files.readString(Path.of(System.getProperty("takt.root"), "docs/doctor.md"));
    Doctor doctor = new Doctor(new FileSystemRoot(folder), OperatingSystems.portable());
    doctor.look();

    assertThat(doctor.findings())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(page).contains("`" + each.probe() + "`"));
    assertThat(Tuning.names()).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }
}
