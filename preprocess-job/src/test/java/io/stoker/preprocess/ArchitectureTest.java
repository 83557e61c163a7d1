package io.stoker.preprocess;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** Which package may know which. */
@AnalyzeClasses(
    packages = "io.stoker.preprocess",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "io.stoker.preprocess";

  /** From the ground up, then in the order of the flow; the root package comes last. */
  private static final List<String> ORDER =
      List.of(
          "reject",
          "store",
          "measure",
          "manifest",
          "sample",
          "fetch",
          "decode",
          "vision",
          "text",
          "pack",
          "shard",
          "report",
          "commit",
          "config",
          "task",
          "spark");

  private static final String[] ENGINE = {"org.apache.spark..", "scala.."};

  @ArchTest
  static void aPackageKnowsOnlyWhatStandsLeftOfIt(JavaClasses classes) {
    for (int i = 0; i < ORDER.size(); i++) {
      List<String> right = ORDER.subList(i + 1, ORDER.size());
      DescribedPredicate<JavaClass> forbidden =
          resideInAnyPackage(
                  right.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new))
              .or(resideInAnyPackage(ROOT))
              .as("resides right of " + ORDER.get(i));
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + ORDER.get(i) + "..")
          .should()
          .dependOnClassesThat(forbidden)
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule everyClassHasAPlaceInTheOrder =
      classes().should().resideInAnyPackage(packages(ORDER)).orShould().resideInAPackage(ROOT);

  private static String[] packages(List<String> names) {
    return names.stream().map(name -> ROOT + "." + name).toArray(String[]::new);
  }

  /** Pictures are decoded and resized the same way whatever record named them. */
  @ArchTest
  static final ArchRule picturesKnowNothingOfRecords =
      noClasses()
          .that()
          .resideInAnyPackage(ROOT + ".decode", ROOT + ".vision")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + ".manifest", ROOT + ".sample", ROOT + ".fetch");

  @ArchTest
  static final ArchRule onlySparkAndTheMainClassKnowSpark =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT, ROOT + ".spark")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE);

  /**
   * What does not need Spark can be read and tested without it. The exceptions to the rule are
   * those that users see, and the key that Spark shuffles by.
   */
  @ArchTest
  static final ArchRule sparkHoldsOnlyWhatNeedsSpark =
      classes()
          .that()
          .resideInAPackage(ROOT + ".spark")
          .and()
          .areTopLevelClasses()
          .and()
          .areNotAssignableTo(Exception.class)
          .and()
          .doNotHaveSimpleName("ShuffleKey")
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE);

  /**
   * Two exceptions: the tokenizer's library has no other switch against downloads than a system
   * property, and tests choose crash points of a process from outside.
   */
  @ArchTest
  static final ArchRule aStageReadsNoGlobalConfiguration =
      noClasses()
          .that()
          .resideInAnyPackage(packages(ORDER.subList(0, ORDER.indexOf("config"))))
          .and()
          .doNotHaveSimpleName("NativeTokenizer")
          .and()
          .doNotHaveSimpleName("CrashPoint")
          .should()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class, String.class)
          .orShould()
          .callMethod(System.class, "setProperty", String.class, String.class)
          .orShould()
          .callMethod(System.class, "getProperties")
          .orShould()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(Boolean.class, "getBoolean", String.class)
          .orShould()
          .callMethod(Integer.class, "getInteger", String.class)
          .orShould()
          .callMethod(Integer.class, "getInteger", String.class, int.class)
          .orShould()
          .callMethod(Long.class, "getLong", String.class);

  @ArchTest
  static final ArchRule aStageNeverSeesTheWholeConfiguration =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT, ROOT + ".spark", ROOT + ".config")
          .should()
          .dependOnClassesThat()
          .haveSimpleName("PreprocessConfig");
}
