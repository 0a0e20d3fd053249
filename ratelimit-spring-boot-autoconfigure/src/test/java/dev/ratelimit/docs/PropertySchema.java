package dev.ratelimit.docs;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.autoconfigure.RuleProperties;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.test.PropertyTypes;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.context.properties.bind.DefaultValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The JSON schema of the {@code ratelimit} tree in YAML, for editors without support for
 * Spring. Generated from the records that the tree is bound to.
 */
final class PropertySchema {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final String DURATION = "^(\\d+(ns|us|ms|s|m|h|d)?|[pP].+)$";

	private static final String RULE_ID = "^[a-z][a-z0-9-]{0,63}$";

	private final ObjectNode definitions = JSON.createObjectNode();

	private final Map<String, Class<?>> defined = new HashMap<>();

	static String text() {
		return new PropertySchema().whole();
	}

	private String whole() {
		ObjectNode schema = JSON.createObjectNode();
		schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
		schema.put("title", "Rate limits of ratelimit-spring-boot-starter");
		schema.put("type", "object");
		schema.putObject("properties").set("ratelimit", tree());
		this.definitions.putObject("placeholder").put("type", "string").put("pattern", "^\\$\\{.*}.*$");
		schema.set("$defs", this.definitions);
		return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
	}

	private ObjectNode tree() {
		Map<String, Class<?>> types = PropertyTypes.all();
		ObjectNode root = ofRecord(Objects.requireNonNull(types.remove("ratelimit")));
		ObjectNode properties = (ObjectNode) root.get("properties");
		types.forEach((prefix, type) -> {
			ObjectNode group = reference(type);
			group.put("description", ComponentTexts.of(type).get(ComponentTexts.TYPE));
			properties.set(prefix.substring("ratelimit.".length()), group);
		});
		return root;
	}

	private ObjectNode ofRecord(Class<?> type) {
		ObjectNode schema = JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
		ObjectNode properties = schema.putObject("properties");
		Map<String, String> texts = ComponentTexts.of(type);
		for (RecordComponent component : type.getRecordComponents()) {
			ObjectNode property = of(component.getGenericType(), component.getName());
			String text = texts.get(component.getName());
			if (text != null) {
				property.put("description", text);
			}
			DefaultValue value = component.getAnnotation(DefaultValue.class);
			if (value != null && value.value().length == 1) {
				property.put("default", value.value()[0]);
			}
			properties.set(ReferencePage.name(component), property);
		}
		return (hasTextForm(type)) ? anyOf(JSON.createObjectNode().put("type", "string"), schema) : schema;
	}

	private ObjectNode of(Type type, String name) {
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			return (generic.getRawType() == Map.class) ? map(arguments[1], name) : list(arguments[0], name);
		}
		Class<?> simple = (Class<?>) type;
		if (simple.isRecord()) {
			return reference(simple);
		}
		return (simple.isEnum()) ? orPlaceholder(words(ReferencePage.words(simple))) : scalar(simple, name);
	}

	private ObjectNode scalar(Class<?> type, String name) {
		if (type == boolean.class || type == Boolean.class) {
			return orPlaceholder(JSON.createObjectNode().put("type", "boolean"));
		}
		if (type == Duration.class) {
			ObjectNode text = JSON.createObjectNode().put("type", "string").put("pattern", DURATION);
			return anyOf(text, JSON.createObjectNode().put("type", "integer"), placeholder());
		}
		if (type == String.class) {
			return text(name);
		}
		String number = (type == double.class || type == Double.class) ? "number" : "integer";
		return orPlaceholder(JSON.createObjectNode().put("type", number));
	}

	private ObjectNode text(String name) {
		return switch (name) {
			case "algorithm" -> orPlaceholder(words(List.copyOf(Algorithms.ids())));
			case "key" -> key();
			default -> {
				ObjectNode text = JSON.createObjectNode();
				text.putArray("type").add("string").add("number").add("boolean");
				yield text;
			}
		};
	}

	private static ObjectNode key() {
		ObjectNode words = words(Arrays.stream(KeyPart.Kind.values())
			.filter((kind) -> !kind.takesArgument())
			.map(KeyPart.Kind::word)
			.toList());
		String kinds = String.join("|",
				Arrays.stream(KeyPart.Kind.values())
					.filter(KeyPart.Kind::takesArgument)
					.map(KeyPart.Kind::word)
					.toList());
		ObjectNode named = JSON.createObjectNode().put("type", "string").put("pattern", "^(" + kinds + "):.+$");
		return anyOf(words, named, placeholder());
	}

	private ObjectNode list(Type element, String name) {
		ObjectNode one = of(element, name);
		ObjectNode several = JSON.createObjectNode().put("type", "array");
		several.set("items", one);
		return anyOf(one.deepCopy(), several);
	}

	private ObjectNode map(Type value, String name) {
		ObjectNode map = JSON.createObjectNode().put("type", "object");
		if (name.equals("rules")) {
			map.putObject("propertyNames").put("pattern", RULE_ID);
		}
		map.set("additionalProperties", of(value, name));
		return map;
	}

	private ObjectNode reference(Class<?> type) {
		String name = type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
		Class<?> defined = this.defined.putIfAbsent(name, type);
		assertThat(defined).as("the type that is defined as " + name).isIn(type, null);
		if (defined == null) {
			this.definitions.putObject(name);
			this.definitions.set(name, ofRecord(type));
		}
		return JSON.createObjectNode().put("$ref", "#/$defs/" + name);
	}

	private static boolean hasTextForm(Class<?> type) {
		return type.equals(RuleProperties.class) || Arrays.stream(type.getDeclaredMethods())
			.anyMatch((method) -> method.getName().equals("of")
					&& Arrays.equals(method.getParameterTypes(), new Class<?>[] { String.class }));
	}

	private static ObjectNode words(List<String> words) {
		ObjectNode schema = JSON.createObjectNode();
		ArrayNode values = schema.putArray("enum");
		words.forEach(values::add);
		return schema;
	}

	private static ObjectNode orPlaceholder(ObjectNode schema) {
		return anyOf(schema, placeholder());
	}

	private static ObjectNode placeholder() {
		return JSON.createObjectNode().put("$ref", "#/$defs/placeholder");
	}

	private static ObjectNode anyOf(ObjectNode... schemas) {
		ObjectNode any = JSON.createObjectNode();
		ArrayNode all = any.putArray("anyOf");
		List.of(schemas).forEach(all::add);
		return any;
	}

}
