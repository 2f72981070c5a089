plugins {
    application
}

val taktVersion = "@takt@"

repositories {
    mavenLocal()
    mavenCentral()
}

/** What weaves: Takt's own commands. */
val taktTools = configurations.create("taktTools")

dependencies {
    implementation(platform("dev.takt:takt-bom:$taktVersion"))
    implementation("dev.takt:takt-reflex")
    // The compiler reports broken rules at the line, as soon as this is where it looks for plugins.
    annotationProcessor("dev.takt:takt-safety:$taktVersion")
    testImplementation("dev.takt:takt-testkit")
    testImplementation("org.junit.jupiter:junit-jupiter:@junit@")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
    taktTools("dev.takt:takt-cli:$taktVersion")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

application {
    mainClass = "com.example.App"
    applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}

val woven = layout.buildDirectory.dir("woven")

/** Checks all that the tasks reach, and weaves their classes: without it the runtime refuses them. */
val weave = tasks.register<JavaExec>("weave") {
    val classes = tasks.compileJava.flatMap { it.destinationDirectory }
    inputs.dir(classes)
    outputs.dir(woven)
    classpath = taktTools
    mainClass = "dev.takt.cli.Main"
    args(
        "weave", classes.get().asFile.path,
        "--output", woven.get().asFile.path,
        "--class-path", configurations.compileClasspath.get().asPath,
    )
    doFirst { delete(woven) }
}

tasks.jar {
    exclude { it.file.startsWith(tasks.compileJava.get().destinationDirectory.get().asFile) }
    from(weave)
}

tasks.named<JavaExec>("run") {
    classpath = files(weave) + configurations.runtimeClasspath.get()
}

tasks.test {
    useJUnitPlatform()
}
