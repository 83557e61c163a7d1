package io.stoker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

@AnalyzeClasses(packages = "io.stoker", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule packagesImportOnlyWhatStandsLeftOfThem =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.stoker..")
          .layer("common")
          .definedBy("io.stoker.common")
          .layer("format")
          .definedBy("io.stoker.format")
          .layer("index")
          .definedBy("io.stoker.index")
          .layer("plan")
          .definedBy("io.stoker.plan")
          .layer("store")
          .definedBy("io.stoker.store")
          .layer("cache")
          .definedBy("io.stoker.cache")
          .layer("reader")
          .definedBy("io.stoker.reader")
          .layer("cli")
          .definedBy("io.stoker.cli")
          .whereLayer("common")
          .mayNotAccessAnyLayer()
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("reader")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("reader", "cli")
          .whereLayer("index")
          .mayOnlyBeAccessedByLayers("plan", "reader", "cli")
          .whereLayer("cache")
          .mayOnlyBeAccessedByLayers("reader", "cli")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("cache", "reader", "cli")
          .whereLayer("format")
          .mayOnlyBeAccessedByLayers("index", "plan", "store", "reader", "cli")
          .ensureAllClassesAreContainedInArchitecture();

  @ArchTest
  static final ArchRule noClassDependsOnItselfThroughOthers =
      slices()
          .assignedFrom(new TopLevelClasses())
          .should()
          .beFreeOfCycles()
          .because("a class is read together with every other one of its circle");

  /** A nested class belongs to the class of its file. */
  private static final class TopLevelClasses implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""));
    }

    @Override
    public String getDescription() {
      return "top-level classes";
    }
  }

  @ArchTest
  static final ArchRule thePlanKnowsNoClockAndNoChance =
      noClasses()
          .that()
          .resideInAPackage("io.stoker.plan")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.time..", "java.util.random..", "java.security..", "java.nio.file..")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule noEngineInsideTrainers =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.spark..", "org.apache.hadoop..", "scala..", "com.google.common..");

  @ArchTest
  static final ArchRule arrowVectorsStayOptional =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.stoker\\.reader\\.ArrowBatches(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.arrow.vector..", "org.apache.arrow.memory..");

  @ArchTest
  static final ArchRule theSdkStaysOptional =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.stoker\\.store\\.S3.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("software.amazon.awssdk..");

  @ArchTest
  static final ArchRule theReaderLoadsWithoutItsOptions =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.stoker\\.(store\\.S3|reader\\.ArrowBatches).*")
          .and()
          .doNotHaveSimpleName("DatasetStores")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("io\\.stoker\\.(store\\.S3|reader\\.ArrowBatches).*");
}
