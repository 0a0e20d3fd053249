package dev.ratelimit;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final String ROOT = "dev.ratelimit";

	/** The package of messages that the build generates from {@code src/main/proto}. */
	private static final String GENERATED = "envoy.v3";

	/** Each package, and the packages that it may use. */
	private static final String ARROWS = """
			address, address
			algorithm, algorithm
			hash, hash
			queue, queue
			rule, rule algorithm
			store, store hash algorithm
			base, base rule
			engine, engine store rule queue hash algorithm
			store.denial, store.denial store algorithm
			store.guard, store.guard store algorithm
			store.hold, store.hold base store rule algorithm
			store.memory, store.memory store algorithm
			store.region, store.region store algorithm
			store.route, store.route store algorithm
			store.slot, store.slot store algorithm
			gate, gate engine rule hash address
			store.lease, store.lease base store rule algorithm
			store.redis, store.redis base store rule algorithm
			method, method gate engine base rule algorithm
			observation, observation gate rule
			web, web gate engine base store rule algorithm address
			web.response, web.response gate engine store rule algorithm
			autoconfigure, autoconfigure web.response web method store.redis store.lease gate store.slot store.route store.region store.memory store.hold store.guard store.denial engine base store rule algorithm address
			web.reactive, web.reactive autoconfigure web.response web gate engine base address
			web.servlet, web.servlet autoconfigure web.response web gate engine base store rule address
			actuate, actuate autoconfigure web.servlet web.reactive web store.region store.lease store.memory store.hold store.guard engine base store rule algorithm address
			client, client autoconfigure engine base rule
			connection, connection autoconfigure web.servlet web.reactive gate engine base store rule
			envoy.v3, envoy.v3
			envoy, envoy envoy.v3 autoconfigure web.response gate engine rule
			web.gateway, web.gateway autoconfigure web.reactive web engine rule
			web.graphql, web.graphql autoconfigure web.servlet web.reactive web.response web gate engine base rule address
			web.grpc, web.grpc autoconfigure web.response web gate engine base rule address
			load, load autoconfigure web gate engine base rule hash address
			testing, testing autoconfigure store.memory base store algorithm
			waiting, waiting autoconfigure engine base store rule queue
			ban, ban actuate autoconfigure store.redis engine base store rule algorithm address
			doctor, doctor actuate autoconfigure web.reactive web store.lease gate store.hold engine base store rule algorithm address
			live, live actuate autoconfigure store.guard engine base store rule algorithm
			telemetry, telemetry actuate autoconfigure store.redis engine base store rule address hash
			telemetry.redis, telemetry.redis telemetry autoconfigure store.redis base
			live.edit, live.edit live actuate store.guard engine base store rule
			live.redis, live.redis live actuate autoconfigure store.redis base store rule
			api, api live.edit live autoconfigure web.servlet web.reactive web.response web gate engine base rule address
			candidate, candidate live.redis live.edit live actuate autoconfigure store.redis engine base store rule algorithm
			""";

	/**
	 * Classes for Spring Boot and HTTP: properties, conditions, connection details,
	 * health, resources of the live endpoint, and the etcd client.
	 */
	private static final DescribedPredicate<JavaClass> WIRING = DescribedPredicate.describe("of Boot",
			(type) -> type.getName()
				.matches(".*(Properties|Condition|AutoConfiguration|Configuration|HealthIndicator|Redis|RedisSource|"
						+ "Resource|Lifecycle|Etcd\\w+|LimitedBody|LiveHealth|LiveStart|EnvironmentRules|"
						+ "RedisSettings)(\\$.*)?"));

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@Test
	void allPackagesAreLookedAt() {
		assertThat(CLASSES).hasSizeGreaterThan(100);
		assertThat(packages()).containsAll(ARROWS.lines().map((line) -> ROOT + "." + line.split(",")[0]).toList());
	}

	// Packages refer to each other by class name, so that each compiles without the
	// other. A wrong name would have no effect.
	@ParameterizedTest
	@MethodSource("autoConfigurations")
	void autoConfigurationsStandBeforeAndAfterClassesThatExist(Class<?> type) {
		AutoConfiguration order = type.getAnnotation(AutoConfiguration.class);
		assertThat(Stream.concat(Stream.of(order.afterName()), Stream.of(order.beforeName())))
			.filteredOn((name) -> name.startsWith(ROOT))
			.allSatisfy((name) -> assertThat(ClassUtils.isPresent(name, null)).as(name).isTrue());
	}

	static List<Class<?>> autoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(ROOT))
			.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, null))
			.filter((type) -> type.isAnnotationPresent(AutoConfiguration.class))
			.toList();
	}

	@Test
	void thePictureShowsAllPackages() throws IOException {
		String picture = Files.readString(Path.of("..", "docs", "pictures", "rooms.svg"));
		assertThat(ARROWS.lines().map((line) -> line.split(",")[0]).filter((name) -> !name.equals(GENERATED)))
			.allSatisfy((name) -> assertThat(picture).contains(">" + name + "</text>"));
	}

	@ParameterizedTest
	@CsvSource(textBlock = ARROWS)
	void theTableOfContributingHasTheArrows(String layer, String allowed) throws IOException {
		if (layer.equals(GENERATED)) {
			return;
		}
		List<String> row = Files.readString(Path.of("..", "CONTRIBUTING.md"))
			.lines()
			.filter((line) -> line.startsWith("| `." + layer + "` |"))
			.map((line) -> line.split("\\|"))
			.filter((cells) -> cells.length == 4)
			.map((cells) -> cells[3].trim())
			.filter((below) -> below.matches("[a-z., ]*"))
			.toList();
		assertThat(row).singleElement()
			.satisfies((below) -> assertThat(List.of(below.split(", ")))
				.containsExactlyInAnyOrderElementsOf(Arrays.stream(allowed.split(" "))
					.map((name) -> (name.equals(layer)) ? "" : name)
					.filter((name) -> !name.equals(GENERATED) && (!name.isEmpty() || allowed.equals(layer)))
					.toList()));
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
		String[] below = Arrays.stream(allowed.split(" ")).map((name) -> ROOT + "." + name).toArray(String[]::new);
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

	/**
	 * A bean whose class has a method with a Micrometer type cannot be created without
	 * Micrometer. A filtered class loader does not reveal this, because it defines no
	 * classes itself.
	 */
	@Test
	void onlyMetersAndObservationsNeedMicrometer() {
		noClasses().that()
			.haveNameNotMatching(".*(Metrics|AutoConfiguration)(\\$.*)?")
			.and()
			.resideOutsideOfPackage(ROOT + ".observation")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer..")
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
	@ValueSource(strings = { "address..", "algorithm..", "store..", "rule..", "queue..", "engine..", "gate..",
			"waiting", "ban", "live", "live.redis", "telemetry" })
	void coreKnowsNeitherHttpNorBoot(String layer) {
		noClasses().that()
			.resideInAPackage(ROOT + "." + layer)
			.and(DescribedPredicate.not(WIRING))
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
			.and(DescribedPredicate.not(WIRING))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "org.springframework.web..", "org.springframework.http..",
					"jakarta..")
			.check(CLASSES);
	}

	/** Without one of these packages, the rest compiles, and the application starts. */
	@ParameterizedTest
	@ValueSource(strings = { "api", "ban", "candidate", "client", "connection", "doctor", "envoy", "load",
			"web.gateway", "web.graphql", "web.grpc", "observation", "telemetry.redis", "testing", "waiting" })
	void nothingKnowsACapabilityThatCanBeDeleted(String capability) {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + "." + capability)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + "." + capability)
			.check(CLASSES);
	}

	/** Telemetry can be deleted together with the event stream. */
	@Test
	void onlyTheStreamOfEventsKnowsTelemetry() {
		noClasses().that()
			.resideOutsideOfPackages(ROOT + ".telemetry", ROOT + ".telemetry.redis")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".telemetry")
			.check(CLASSES);
	}

	/** Live rules can be deleted together with the packages that use them. */
	@Test
	void onlyEditsCandidatesAndTheApiKnowLiveRules() {
		noClasses().that()
			.resideOutsideOfPackages(ROOT + ".live..", ROOT + ".candidate", ROOT + ".api")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".live..")
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

	// Spring Cloud Function exposes such beans as endpoints. Also, a bean of the
	// application with a raw type would be injected instead.
	@ParameterizedTest
	@ValueSource(classes = { Consumer.class, Function.class, Supplier.class })
	void noBeanIsAFunctionOfTheJdk(Class<?> function) {
		assertThat(CLASSES.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.isAnnotatedWith(Bean.class))).hasSizeGreaterThan(50)
			.allSatisfy(
					(method) -> assertThat(method.getRawReturnType().isAssignableTo(function)).as(method.getFullName())
						.isFalse());
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packages()).filteredOn((name) -> !name.equals(ROOT + "." + GENERATED)).allSatisfy((name) -> {
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

	// Spring Boot 4.0 uses Lettuce 6.8, which does not have these methods.
	@Test
	void theClientOfRedisCanBeThatOfSpringBoot40() {
		noClasses().should()
			.callMethodWhere(DescribedPredicate.describe("RedisURI.setAuthentication",
					(call) -> call.getTargetOwner().isEquivalentTo(RedisURI.class)
							&& call.getName().equals("setAuthentication")))
			.check(CLASSES);
	}

	private static Set<String> packages() {
		return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
	}

	private static DescribedPredicate<JavaClass> annotatedWith(Class<? extends Annotation> annotation) {
		return DescribedPredicate.describe("annotated with " + annotation, (type) -> type.isAnnotatedWith(annotation));
	}

	/**
	 * Treats every package separately, including nested packages.
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
