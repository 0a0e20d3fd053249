package dev.ratelimit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.docs.MarkdownPage.Snippet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that generated documents are up to date. With {@code -Dtest.documents=write},
 * they are updated.
 */
@Tag("long")
class GeneratedDocumentsTests {

	private static final Path DOCS = Path.of("..", "docs");

	private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
		.getSchema(PropertySchema.text());

	static Stream<Snippet> yaml() {
		return DocumentationTests.yaml();
	}

	@ParameterizedTest
	@MethodSource("documents")
	void isUpToDate(String name, Supplier<String> text) throws IOException {
		Path file = DOCS.resolve(name);
		if ("write".equals(System.getProperty("test.documents"))) {
			Files.writeString(file, text.get());
		}
		assertThat(file).content().isEqualTo(text.get());
	}

	static Stream<Object[]> documents() {
		Supplier<String> reference = ReferencePage::text;
		Supplier<String> propertySchema = PropertySchema::text;
		return Stream.of(new Object[] { "reference.md", reference },
				new Object[] { "ratelimit.schema.json", propertySchema });
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void snippetsKeepToTheSchema(Snippet snippet) {
		assertThat(errors(snippet.text())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimit: { rules: { search: { path: /x } } }               | path
			ratelimit: { rules: { search: { mode: watch } } }            | mode
			ratelimit: { rules: { search: { algorithm: tokens } } }      | algorithm
			ratelimit: { rules: { search: { key: [user, cookie] } } }    | key
			ratelimit: { rules: { Search: { limit: 1/s } } }             | Search
			ratelimit: { rules: { search: { limits: [{ limt: 1/s }] } } } | limits
			ratelimit: { deadline: soon }                                | deadline
			ratelimit: { stores: memory }                                | stores
			""")
	void schemaFindsInvalidProperties(String yaml, String location) {
		assertThat(errors(yaml)).isNotEmpty().anyMatch((error) -> error.toString().contains(location));
	}

	@Test
	void everyPropertyHasADescription() {
		assertThat(ReferencePage.properties())
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).as(property.toString())
				.endsWith("."));
		assertThat(ReferencePage.text()).doesNotContain("|  |\n");
	}

	@Test
	void editorsAreOfferedWhatIsThere() throws IOException {
		String metadata = Files
			.readString(Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json"));
		assertThat(JsonMapper.shared().readTree(metadata).path("hints").valueStream())
			.filteredOn((hint) -> hint.path("name").asString().equals("ratelimit.defaults.algorithm"))
			.singleElement()
			.satisfies((hint) -> assertThat(
					hint.path("values").valueStream().map((value) -> value.path("value").asString()))
				.containsExactlyInAnyOrderElementsOf(Algorithms.ids()));
	}

	private static java.util.List<Error> errors(String yaml) {
		Object tree = PlainYaml.read(yaml);
		return SCHEMA.validate(JsonMapper.shared().writeValueAsString(tree), InputFormat.JSON);
	}

}
