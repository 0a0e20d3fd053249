package dev.ratelimit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Generates the page of all properties, by prefix. Each existing row is compared with the
 * metadata for editors. A missing row is added, and a row without a property is removed.
 * A row keeps its text if it contains the default and the values of the metadata.
 */
final class ReferencePage {

	private static final Path METADATA = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");

	private static final String HEAD = "| Property | Type | Default | Meaning |\n| --- | --- | --- | --- |\n";

	private ReferencePage() {
	}

	static String text() {
		return """
				# Reference of properties

				All properties but those of a rule, by prefix. Those of rules, limits, and plans are in
				[Configuration](configuration.md#rule-properties); those of `ban` in [Bans](how-to/bans.md#properties), of `wait` in
				[Let requests wait](how-to/waiting.md), and of `descriptor` in [Envoy](how-to/envoy.md). For editors without Spring support, there is a
				[JSON schema](ratelimit.schema.json). Copy it beside a YAML file, which references it in its first line:

				```text
				# yaml-language-server: $schema=ratelimit.schema.json
				```

				Types:

				- A duration is `50ms`, `2s`, `1m`, `24h`, `1d`, or `PT1M`; a number alone is milliseconds. Limits have their own units: `100/min`.
				- A network is an address, an address with a prefix such as `10.0.0.0/8`, or `private`, `loopback`, `linklocal`, `uniquelocal`.
				- A map of numbers is written as `{high: 30}`, a list as `[a, b]`.
				"""
				+ groups();
	}

	private static String groups() {
		Map<String, String> written = written();
		Map<String, Map<String, String>> groups = new TreeMap<>();
		for (JsonNode property : properties()) {
			String name = property.path("name").asString();
			String row = Optional.ofNullable(written.get(name))
				.filter((line) -> agrees(line, property))
				.orElseGet(() -> row(property));
			groups.computeIfAbsent(group(name), (any) -> new TreeMap<>()).put(name, row);
			written.forEach((other, line) -> {
				if (other.startsWith(name + ".<") || other.startsWith(name + "[].")) {
					groups.get(group(name)).put(other, line);
				}
			});
		}
		StringBuilder text = new StringBuilder();
		groups.forEach((group, rows) -> text.append("\n## ")
			.append(group)
			.append("\n\n")
			.append(HEAD)
			.append(String.join("", rows.values())));
		return text.toString();
	}

	private static String group(String name) {
		String[] words = name.split("\\.");
		if (words[0].equals("management")) {
			return "Actuator endpoints";
		}
		return (words.length > 2) ? words[0] + "." + words[1] : "ratelimit";
	}

	private static boolean agrees(String line, JsonNode property) {
		String[] cells = line.split("(?<!\\\\)\\|");
		String type = word(property.path("type").asString());
		boolean values = !type.startsWith("`") || cells[2].contains("`");
		return values && cells[3].contains(defaultValue(property));
	}

	/**
	 * Return the existing rows of properties on the page.
	 * @return the rows by the name of the property
	 */
	private static Map<String, String> written() {
		Map<String, String> rows = new HashMap<>();
		MarkdownPage.of("docs/reference.md")
			.text()
			.lines()
			.filter((line) -> line.startsWith("| `ratelimit.") || line.startsWith("| `management."))
			.forEach((line) -> rows.put(line.substring(3, line.indexOf('`', 3)), line + "\n"));
		return rows;
	}

	/**
	 * Return the properties in the metadata.
	 * @return the properties in their order
	 */
	static List<JsonNode> properties() {
		try {
			return JsonMapper.shared()
				.readTree(Files.readString(METADATA))
				.path("properties")
				.valueStream()
				.filter((property) -> !property.has("deprecation"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// A property whose name is a Java keyword has a different name in the record.
	private static String written(RecordComponent component) {
		return Arrays.stream(component.getDeclaringRecord().getDeclaredConstructors())
			.flatMap((constructor) -> Arrays.stream(constructor.getParameters()))
			.filter((parameter) -> parameter.getName().equals(component.getName()))
			.map((parameter) -> parameter.getAnnotation(Name.class))
			.filter(Objects::nonNull)
			.map(Name::value)
			.findFirst()
			.orElse(component.getName());
	}

	/**
	 * Return the name of a component in configuration.
	 * @param component the component
	 * @return the name, with dashes
	 */
	static String name(RecordComponent component) {
		String dashed = written(component).replaceAll("([A-Z])", "-$1");
		return ConfigurationPropertyName.adapt(dashed, '.').toString();
	}

	private static String row(JsonNode property) {
		return row(property.path("name").asString(), word(property.path("type").asString()), defaultValue(property),
				property.path("description").asString());
	}

	private static String defaultValue(JsonNode property) {
		JsonNode value = property.path("defaultValue");
		return (value.isArray()) ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
				: value.asString("");
	}

	private static String row(String name, String type, String value, String meaning) {
		return "| `" + name + "` | " + type + " | " + ((value.isEmpty()) ? "" : "`" + value + "`") + " | "
				+ meaning.replace("|", "\\|") + " |\n";
	}

	private static String word(String type) {
		if (type.startsWith(List.class.getName()) || type.startsWith(Set.class.getName())) {
			return "list";
		}
		if (type.startsWith(Map.class.getName())) {
			return "map";
		}
		return switch (type) {
			case "java.lang.String" -> "text";
			case "boolean", "java.lang.Boolean" -> "boolean";
			case "int", "long", "java.lang.Integer", "java.lang.Long" -> "number";
			case "double", "java.lang.Double" -> "decimal";
			default -> (type.equals(Duration.class.getName())) ? "duration" : ofClass(type);
		};
	}

	private static String ofClass(String name) {
		Class<?> type = load(name);
		return (!type.isEnum()) ? "object"
				: words(type).stream().map((word) -> "`" + word + "`").collect(Collectors.joining(", "));
	}

	/**
	 * Return the values of an enum in the form that configuration uses.
	 * @param type the enum
	 * @return the values
	 */
	static List<String> words(Class<?> type) {
		return Arrays.stream(type.getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
			.toList();
	}

	private static Class<?> load(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
