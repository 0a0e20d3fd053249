package dev.ratelimit.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.CostResolver;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.PlanResolver;
import dev.ratelimit.Problem;
import dev.ratelimit.RateLimited;
import dev.ratelimit.autoconfigure.LimitProperties;
import dev.ratelimit.autoconfigure.PlanProperties;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.RuleProperties;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.docs.MarkdownPage.Snippet;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.test.redis.RedisRights;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.UnExecutableSchemaGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class DocumentationTests {

	private static final Pattern GRADLE = Pattern.compile("implementation\\(\"([^\"]+)\"\\)");

	private static final Pattern VERSION = Pattern
		.compile("<revision>([^<]+)</revision>\\s*<changelist>([^<]+)</changelist>");

	private static final Pattern COORDINATE = Pattern.compile("<(groupId|artifactId|version)>([^<]+)</\\1>");

	/**
	 * The properties of libraries that are not on the class path, from the migration
	 * page.
	 */
	private static final Pattern OTHERS = Pattern.compile("(?m)^(bucket4j|resilience4j|spring:\\R {2}cloud):?");

	private final MarkdownPage reference = MarkdownPage.of("docs/configuration.md");

	static Stream<Snippet> yaml() {
		return snippets("yaml").filter((snippet) -> !OTHERS.matcher(snippet.text()).find());
	}

	static Stream<Snippet> java() {
		return snippets("java");
	}

	static Stream<Snippet> kotlin() {
		return snippets("kotlin");
	}

	static Stream<Snippet> dependencies() {
		return snippets("xml").filter((snippet) -> snippet.text().contains("<dependency>"));
	}

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all().stream();
	}

	@ParameterizedTest
	@MethodSource
	void yaml(Snippet snippet) throws IOException {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("snippet",
				new ByteArrayResource(snippet.text().getBytes(StandardCharsets.UTF_8)));
		WebApplicationContextRunner runner = new WebApplicationContextRunner().withUserConfiguration(Application.class);
		// The page has a resolver for the plans of API keys.
		if (snippet.text().contains("X-Api-Key") && snippet.text().contains("plans:")) {
			runner = runner.withBean(PlanResolver.class, () -> (request) -> Optional.empty());
		}
		runner.withPropertyValues("management.endpoint.health.validate-group-membership=false")
			.withInitializer((context) -> sources.forEach(context.getEnvironment().getPropertySources()::addFirst))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(Editions.class).current().rules().rules().keySet())
					.containsAll(context.getBean(RateLimitProperties.class).rules().keySet());
			});
	}

	@ParameterizedTest
	@MethodSource
	void java(Snippet snippet, @TempDir Path target) {
		assertThat(SnippetCompiler.compile(snippet, target)).isEmpty();
	}

	// The tests of the module kotlin-tests run these files.
	@ParameterizedTest
	@MethodSource
	void kotlin(Snippet snippet) throws IOException {
		try (Stream<Path> files = Files.list(Path.of("kotlin-tests/src/test/kotlin/dev/ratelimit/kotlin/guide"))) {
			assertThat(files).anySatisfy((file) -> assertThat(file).content().endsWith("\n\n" + snippet.text()));
		}
	}

	@ParameterizedTest
	@MethodSource
	void dependencies(Snippet snippet) throws IOException {
		assertThat(coordinate("groupId", snippet.text())).isEqualTo("dev.ratelimit");
		assertThat(Path.of("..", coordinate("artifactId", snippet.text()), "pom.xml")).exists();
		assertThat(coordinate("version", snippet.text())).isEqualTo(version());
	}

	@Test
	void gradleHasTheSameCoordinates() throws IOException {
		String version = version();
		assertThat(MarkdownPage.all())
			.flatExtracting((page) -> GRADLE.matcher(page.text()).results().map((found) -> found.group(1)).toList())
			.filteredOn((coordinates) -> coordinates.startsWith("dev.ratelimit:"))
			.hasSizeGreaterThan(1)
			.containsOnly("dev.ratelimit:ratelimit-spring-boot-starter:" + version);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadSomewhere(MarkdownPage page) {
		assertThat(page.brokenLinks()).isEmpty();
	}

	@Test
	void everyPageIsInTheIndex() {
		Path docs = Path.of("..", "docs");
		List<Path> linked = MarkdownPage.of("docs/README.md").linkedFiles();
		assertThat(MarkdownPage.all()).extracting((page) -> page.file().normalize())
			.filteredOn((file) -> file.startsWith(docs.toAbsolutePath().normalize()))
			.filteredOn((file) -> !file.endsWith("docs/README.md") && !file.getParent().endsWith("decisions"))
			.isSubsetOf(linked);
	}

	@Test
	void readmeHasTheTwoCommands() {
		assertThat(MarkdownPage.of("README.md").text())
			.contains("\nmvn -Dmaven.test.skip=true -pl sample-app -am spring-boot:run\n", "\nmvn verify\n");
	}

	@Test
	void rightsInRedisAreThoseOfTheUserThatTestsConnectAs() {
		assertThat(MarkdownPage.of("docs/operations.md")
			.section("Rights in Redis")
			.lines()
			.filter((line) -> line.startsWith("ACL SETUSER"))).containsExactly(RedisRights.ON_SERVER.command(),
					RedisRights.ON_CLUSTER.command(), ofOrders(RedisRights.LIVE_ON_SERVER),
					ofOrders(RedisRights.LIVE_ON_CLUSTER));
	}

	private static String ofOrders(RedisRights rights) {
		return rights.command().replace("~rl:*", "~rl:orders:*");
	}

	@Test
	void messagesOfRejectionsAreThoseThatTheContractReads() throws IOException {
		assertThat(MarkdownPage.of("docs/how-to/rejections.md").snippets("properties")).singleElement()
			.extracting(Snippet::text)
			.isEqualTo(Files.readString(Path.of("src", "test", "resources", "refusal", "messages_de.properties")));
	}

	@Test
	void everyTypeOfProblemIsInTheDocumentation() {
		assertThat(Problem.Type.values()).allSatisfy((type) -> {
			assertThat(MarkdownPage.of("docs/how-to/rejections.md").text())
				.contains("`ratelimit.problem." + type.code() + ".title`");
			type.uri()
				.ifPresent((uri) -> assertThat(MarkdownPage.of("docs/how-to/rejections.md").text())
					.contains("`" + uri + "`"));
		});
	}

	@Test
	void everyPropertyIsInTheReferenceWithItsDefault() throws IOException {
		Path metadata = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
		List<JsonNode> properties = JsonMapper.shared()
			.readTree(Files.readString(metadata))
			.path("properties")
			.valueStream()
			.toList();
		assertThat(properties).hasSizeGreaterThan(15).allSatisfy((property) -> {
			String name = "`" + property.path("name").asString() + "`";
			JsonNode value = property.path("defaultValue");
			String text = (value.isArray()) ? String.join(", ", value.valueStream().map(JsonNode::asString).toList())
					: value.asString("");
			assertThat(MarkdownPage.of("docs/reference.md").text().lines())
				.anyMatch((line) -> line.contains(name) && line.contains(text));
		});
	}

	@Test
	void everyPropertyOfARuleAndALimitIsInTheReference() {
		String section = this.reference.section("Rule properties");
		int limits = section.indexOf("An entry of `limits`");
		assertThat(rows(section.substring(0, limits)))
			.containsExactlyInAnyOrderElementsOf(components(RuleProperties.class));
		assertThat(rows(section.substring(limits))).containsExactlyElementsOf(components(LimitProperties.class));
	}

	@Test
	void everyFindingHasASectionWithWhatItIsAndHowToConfirmAndFixIt() {
		MarkdownPage page = MarkdownPage.of("docs/doctor.md");
		assertThat(FindingCode.values()).allSatisfy((code) -> {
			assertThat(code.link()).isEqualTo("docs/doctor.md#" + code.id().toLowerCase(Locale.ROOT));
			assertThat(page.section(code.id())).contains("**", "\n- Confirm: ", "\n- Fix: ");
		});
		assertThat(page.text().split("(?m)^## RL")).hasSize(FindingCode.values().length + 1);
		assertThat(page.text().lines().filter((line) -> line.startsWith("| [RL")).map(DocumentationTests::withoutFix))
			.containsExactlyElementsOf(Arrays.stream(FindingCode.values())
				.map((code) -> "| [%s](#%s) | %s | %s |".formatted(code.id(), code.id().toLowerCase(Locale.ROOT),
						code.title(), EnumNames.of(code.severity())))
				.toList());
		assertThat(FindingCode.values()).extracting(FindingCode::id).isSorted();
	}

	private static String withoutFix(String row) {
		return row.substring(0, row.lastIndexOf("|", row.length() - 2) + 1);
	}

	@Test
	void everyPropertyOfAPlanIsInTheReference() {
		assertThat(rows(this.reference.section("Plan properties")))
			.containsExactlyElementsOf(components(PlanProperties.class));
	}

	@Test
	void everyAttributeIsInTheReference() {
		assertThat(rows(this.reference.section("Attributes of @RateLimited"))).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(RateLimited.class.getDeclaredMethods()).map(Method::getName).toList());
	}

	private static Stream<Snippet> snippets(String language) {
		return MarkdownPage.all().stream().flatMap((page) -> page.snippets(language).stream());
	}

	// Return the names in the first column of the table in a section.
	private static List<String> rows(String section) {
		return Pattern.compile("(?m)^\\| `([^`]+)` \\|").matcher(section).results().map((row) -> row.group(1)).toList();
	}

	private static List<String> components(Class<?> type) {
		return Arrays.stream(type.getRecordComponents()).map(ReferencePage::name).toList();
	}

	// Return the version of a snapshot build.
	private static String version() throws IOException {
		Matcher properties = VERSION.matcher(Files.readString(Path.of("..", "pom.xml")));
		assertThat(properties.find()).isTrue();
		return properties.group(1) + properties.group(2);
	}

	private static String coordinate(String name, String xml) {
		Matcher coordinate = COORDINATE.matcher(xml);
		return coordinate.results()
			.filter((found) -> found.group(1).equals(name))
			.map((found) -> found.group(2))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no " + name));
	}

	/**
	 * An application with the handler and the bean that YAML snippets reference.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(HelloController.class)
	static class Application {

		@Bean
		CostResolver inputTokens() {
			return (request) -> 1;
		}

		@Bean
		KeyResolver tenant() {
			return (request) -> request.header("X-Tenant");
		}

		@Bean
		GraphQlSource graphQlSource() {
			return GraphQlSource
				.builder(UnExecutableSchemaGenerator
					.makeUnExecutableSchema(new SchemaParser().parse("type Query { stock: Int! }")))
				.build();
		}

	}

	@RestController
	static class HelloController {

		@GetMapping("/hello")
		@RateLimited("10/min")
		String hello() {
			return "";
		}

	}

}
