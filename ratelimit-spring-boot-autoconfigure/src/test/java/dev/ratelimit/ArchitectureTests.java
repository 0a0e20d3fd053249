package dev.ratelimit;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final String ROOT = "dev.ratelimit";

	/** What both adapters may use. */
	private static final List<String> WEB = List.of(ROOT + ".web", ROOT + ".web.request", ROOT + ".web.handler",
			ROOT + ".web.rejection", ROOT + ".web.explain");

	/** Each room, and the rooms that it may use. */
	private static final String ARROWS = """
			hash, hash
			address, address
			algorithm, algorithm
			store, store algorithm hash
			store.memory, store.memory store algorithm
			store.redis, store.redis store algorithm
			store.denial, store.denial store algorithm
			store.guard, store.guard store algorithm
			store.lease, store.lease store algorithm
			store.slot, store.slot store algorithm
			store.hold, store.hold store algorithm
			rule, rule algorithm
			queue, queue
			engine, engine queue store rule algorithm
			waiting, waiting engine queue store rule algorithm
			ban, ban engine rule store algorithm
			ban.redis, ban.redis ban store.redis store
			telemetry, telemetry engine rule hash
			load, load web web.request gate engine rule address hash
			live, live engine rule store algorithm
			live.file, live.file live store
			live.redis, live.redis live store.redis store
			live.etcd, live.etcd live store
			gate, gate engine rule address
			observation, observation gate engine
			annotation, annotation rule algorithm
			header, header
			security, security
			method, method security annotation gate engine store rule algorithm
			web.request, web.request annotation gate engine rule address
			web.handler, web.handler web.request annotation gate engine rule
			web, web web.request web.handler header security annotation gate engine store rule algorithm address
			web.rejection, web.rejection web web.request header gate engine rule
			web.observation, web.observation web web.request gate rule address
			web.explain, web.explain web.rejection web web.request web.handler header gate engine rule algorithm address
			web.servlet, web.servlet web.* header annotation gate engine store rule algorithm address
			web.reactive, web.reactive web.* header annotation gate engine store rule algorithm address
			connection, connection web.servlet web.reactive gate engine store rule
			api, api live web web.explain web.handler web.request header gate engine rule
			client, client
			testing, testing store store.memory algorithm
			candidate, candidate actuate live live.redis engine rule store store.redis algorithm
			doctor, doctor actuate ban live web.observation web.request web engine rule algorithm
			actuate, actuate waiting ban load live telemetry web.explain web engine rule store store.memory store.guard store.lease store.hold algorithm client
			""";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@Test
	void allPackagesAreLookedAt() {
		assertThat(CLASSES).hasSizeGreaterThan(100);
		assertThat(packages()).containsAll(ARROWS.lines().map((line) -> ROOT + "." + line.split(",")[0]).toList());
	}

	@Test
	void wordsThatUsersMeetNeedOnlyTheJdkReactorAndJSpecify() {
		classes().that()
			.resideInAPackage(ROOT)
			.should()
			.onlyDependOnClassesThat(
					JavaClass.Predicates.resideInAnyPackage(ROOT, "java..", "reactor.core..", "org.jspecify.."))
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(textBlock = ARROWS)
	void arrowsPointDown(String layer, String allowed) {
		String[] below = Arrays.stream(allowed.split(" "))
			.flatMap((name) -> (name.equals("web.*")) ? WEB.stream() : Stream.of(ROOT + "." + name))
			.toArray(String[]::new);
		classes().that()
			.resideInAPackage(ROOT + "." + layer)
			.should()
			.onlyDependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(below)
				.or(JavaClass.Predicates.resideInAnyPackage(ROOT))
				.or(JavaClass.Predicates.resideOutsideOfPackages(ROOT + "..")))
			.check(CLASSES);
	}

	@Test
	void stagesDoNotKnowEachOther() {
		slices().matching(ROOT + ".store.(*)..").should().notDependOnEachOther().check(CLASSES);
	}

	@Test
	void theAdaptersDoNotKnowEachOther() {
		noClasses().that()
			.resideInAPackage(ROOT + ".web.servlet")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".web.reactive")
			.check(CLASSES);
		noClasses().that()
			.resideInAPackage(ROOT + ".web.reactive")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".web.servlet")
			.check(CLASSES);
	}

	@Test
	void onlyTheStoreInRedisKnowsItsClient() {
		noClasses().that()
			.resideOutsideOfPackages(ROOT + ".store.redis", ROOT + ".autoconfigure")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.lettuce..")
			.check(CLASSES);
	}

	@Test
	void storesReadNoClockButTheirOwn() {
		noClasses().that()
			.resideInAPackage(ROOT + ".store..")
			.should()
			.callMethod(System.class, "nanoTime")
			.orShould()
			.callMethod(System.class, "currentTimeMillis")
			.check(CLASSES);
	}

	@Test
	void packagesFormNoCycle() {
		slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(CLASSES);
	}

	@ParameterizedTest
	@ValueSource(strings = { "address..", "algorithm..", "store..", "rule..", "queue..", "engine..", "telemetry..",
			"live", "live.file", "live.redis", "gate..", "annotation.." })
	void coreKnowsNeitherHttpNorBoot(String layer) {
		noClasses().that()
			.resideInAPackage(ROOT + "." + layer)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "org.springframework.web..", "org.springframework.http..",
					"org.springframework.context..", "jakarta..", "java.net.http..")
			.check(CLASSES);
	}

	@Test
	void theGateKnowsNoSpring() {
		noClasses().that()
			.resideInAPackage(ROOT + ".gate")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework..")
			.check(CLASSES);
	}

	@Test
	void limitsOnMethodsNeedNoWeb() {
		noClasses().that()
			.resideInAPackage(ROOT + ".method")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "org.springframework.web..", "org.springframework.http..",
					"jakarta..")
			.check(CLASSES);
	}

	@Test
	void nobodyKnowsTheAutoConfiguration() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".autoconfigure..")
			.check(CLASSES);
	}

	@Test
	void autoConfigurationsArePublicFinalAndOfferNothingToCall() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration")
			.check(CLASSES);
		assertThat(CLASSES.that(annotatedWith(AutoConfiguration.class))).hasSizeGreaterThan(5)
			.allSatisfy((type) -> assertThat(type.getMethods())
				.noneMatch((method) -> method.getModifiers().contains(JavaModifier.PUBLIC)));
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packages()).allSatisfy((name) -> {
			JavaPackage found = CLASSES.getPackage(name);
			assertThat(found.isAnnotatedWith(NullMarked.class)).as(name).isTrue();
		});
	}

	@Test
	void caseIsChangedOnlyInANamedLocale() {
		noClasses().should()
			.callMethod(String.class, "toLowerCase")
			.orShould()
			.callMethod(String.class, "toUpperCase")
			.check(CLASSES);
	}

	private static Set<String> packages() {
		return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
	}

	private static DescribedPredicate<JavaClass> annotatedWith(Class<? extends Annotation> annotation) {
		return DescribedPredicate.describe("annotated with " + annotation, (type) -> type.isAnnotatedWith(annotation));
	}

	/**
	 * Every package by itself, also one that lies in another.
	 */
	private static final class EachPackage implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return SliceIdentifier.of(type.getPackageName());
		}

		@Override
		public String getDescription() {
			return "each package";
		}

	}

}
