/** Builders for the Java virtual machine. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs, writes } from "../exceptions.js";
import type { Call } from "../options.js";
import { beyond, type Family, type Finding, type Flags } from "../spec.js";
import { beyondProject, builds, goalWorks, tellsVersion } from "./work.js";

/** Maven 3.8's script: the nearest folder with `.mvn` holds the JVM's options. */
const mavenOptions: Steering = { files: [{ name: ".mvn" }], why: "may hold Java options, which can load code" };

/** Gradle 8 (docs.gradle.org, "Build Environment"): the JVM that it runs to print its version. */
const gradleJvm: Steering = {
  files: [{ name: "gradle.properties" }, { name: "gradle/gradle-daemon-jvm.properties" }],
  why: "may choose the Java that runs",
};

/** Maven's flags of one dash and several letters, which are not bundles. */
const mavenFlags: Flags = {
  whole: "-am -amd -ntp -fae -ff -fn -nsu -cpu -npu -npr -itr",
  wholeValue: "-pl -rf -T",
  value: "--projects --resume-from --threads --color -P --activate-profiles",
};

const maven = beyondProject(
  goalWorks(
    builds,
    [
      elsewhere(
        "-f --file -s --settings -gs --global-settings -t --toolchains -gt --global-toolchains -D --define --builder",
      ),
      writes("-l --log-file"),
    ],
    mavenFlags,
  ),
);

const gradle = beyondProject(
  goalWorks(
    builds,
    [
      elsewhere(
        "-p --project-dir -b --build-file -c --settings-file -I --init-script -g --gradle-user-home --include-build -P -D --project-cache-dir",
      ),
    ],
    { value: "--tests -x --exclude-task --max-workers --console --warning-mode" },
  ),
);

/** Reports `-Dx=y`, which sets a property that may name a program. */
function antFindings(call: Call): readonly Finding[] {
  return call.flags.some(({ name }) => name.startsWith("-D"))
    ? [beyond("unknown", "`-D` sets a property, which can name a program")]
    : [];
}

export const jvmCommands: Family = {
  "./mvnw": maven,
  mvn: tellsVersion("-v --version", maven, mavenOptions),
  "./gradlew": gradle,
  gradle: tellsVersion("-v --version", gradle, gradleJvm),
  ant: {
    ...goalWorks(builds, [
      elsewhere("-f -file -buildfile -s -find -lib -propertyfile -inputhandler -main -autoproxy"),
      runs("-logger -listener"),
      writes("-l -logfile"),
    ]),
    style: "single",
    check: antFindings,
  },
  sbt: goalWorks(builds, [elsewhere("-D -J -S --sbt-dir --sbt-boot --ivy --java-home --addPluginSbtFile")]),
};
