package dev.ratelimit.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The object in the body of a request, read member by member. A member that is missing is
 * empty, and one of another type is refused. Immutable.
 *
 * @param members the members
 */
record JsonBody(Map<String, Object> members) {

	static JsonBody parse(@Nullable String text) {
		return new JsonBody(object((text != null) ? text : ""));
	}

	JsonBody requireOnly(Set<String> known) {
		Set<String> unknown = new TreeSet<>(this.members.keySet());
		unknown.removeAll(known);
		if (!unknown.isEmpty()) {
			throw ApiException.badRequest("unknown members " + unknown + "; the members are " + new TreeSet<>(known));
		}
		return this;
	}

	private static Map<String, Object> object(String text) {
		try {
			// The parser returns null for the literal 'null'.
			return Optional.ofNullable(JsonParserFactory.getJsonParser().parseMap(text))
				.orElseThrow(JsonBody::notAnObject);
		}
		catch (JsonParseException ex) {
			throw notAnObject();
		}
	}

	private static ApiException notAnObject() {
		return ApiException.badRequest("the body is not a JSON object");
	}

	Optional<String> text(String name) {
		Object value = this.members.get(name);
		if (value == null) {
			return Optional.empty();
		}
		if (!(value instanceof String text)) {
			throw ApiException.badRequest("'" + name + "' must be a string");
		}
		return Optional.of(text);
	}

	OptionalLong units(String name) {
		Object value = this.members.get(name);
		if (value == null) {
			return OptionalLong.empty();
		}
		boolean whole = value instanceof Integer || value instanceof Long;
		if (!whole || ((Number) value).longValue() < 1) {
			throw ApiException.badRequest("'" + name + "' must be a whole number of at least 1");
		}
		return OptionalLong.of(((Number) value).longValue());
	}

	Map<String, List<String>> headers(String name) {
		Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		Object value = this.members.get(name);
		if (value == null) {
			return headers;
		}
		if (!(value instanceof Map<?, ?> object)) {
			throw ApiException.badRequest("'" + name + "' must be an object");
		}
		object.forEach((key, values) -> headers.put(String.valueOf(key), values(name, values)));
		return headers;
	}

	private static List<String> values(String name, @Nullable Object value) {
		List<?> all = (value instanceof List<?> list) ? list : (value != null) ? List.of(value) : List.of();
		List<String> texts = new ArrayList<>(all.size());
		for (Object one : all) {
			if (!(one instanceof String text)) {
				throw ApiException.badRequest("the values of '" + name + "' must be strings or lists of strings");
			}
			texts.add(text);
		}
		return texts;
	}

}
