plugins {
    application
}

val taktVersion = "@takt@"

repositories {
    mavenLocal()
    mavenCentral()
}

dependencies {
    implementation(platform("dev.takt:takt-bom:$taktVersion"))
    implementation("dev.takt:takt-reflex")
    // There, the compiler finds the plugin that reports broken rules at the line, and weaves the classes that tasks use.
    annotationProcessor("dev.takt:takt-safety:$taktVersion")
    testAnnotationProcessor("dev.takt:takt-safety:$taktVersion")
    testImplementation("dev.takt:takt-testkit")
    testImplementation("org.junit.jupiter:junit-jupiter:@junit@")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
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

tasks.test {
    useJUnitPlatform()
}
