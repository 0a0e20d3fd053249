package dev.ratelimit.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.ExplainRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The content of a check: a request that another service received, or one rule and
 * subject.
 */
sealed interface CheckRequest {

	/** The members of a check of one rule. */
	Set<String> OF_RULES = Set.of("rule", "subject", "cost");

	/** The members of a check of a request. */
	Set<String> OF_REQUESTS = Set.of("user_id", "endpoint", "method", "ip", "headers", "plan", "cost");

	/** Headers that would override the client address, which is the member {@code ip}. */
	Set<String> FORWARDING = Set.of("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
			"x-forwarded-proto", "x-forwarded-prefix", "x-real-ip");

	/**
	 * Return the units to charge.
	 * @return the units; empty for the cost of the rule
	 */
	OptionalLong cost();

	static CheckRequest parse(@Nullable String text) {
		JsonBody body = JsonBody.parse(text);
		return (body.members().containsKey("rule")) ? ofRule(body.requireOnly(OF_RULES))
				: ofRequest(body.requireOnly(OF_REQUESTS));
	}

	private static CheckRequest ofRule(JsonBody body) {
		return new OfRule(body.text("rule").orElse(""),
				body.text("subject")
					.filter((subject) -> !subject.isBlank())
					.orElseThrow(() -> ApiException.badRequest("'subject' is missing")),
				body.units("cost"));
	}

	private static CheckRequest ofRequest(JsonBody body) {
		String endpoint = body.text("endpoint")
			.orElseThrow(() -> ApiException
				.badRequest("'endpoint' is missing: the path of the request, or set 'rule' and 'subject'"));
		String ip = body.text("ip").orElse("");
		if (!ip.isEmpty() && !IpAddress.parse(ip).isKnown()) {
			throw ApiException.badRequest("'ip' must be an IPv4 or IPv6 address");
		}
		Map<String, List<String>> headers = body.headers("headers");
		headers.keySet().removeIf((name) -> FORWARDING.contains(name.toLowerCase(Locale.ROOT)));
		try {
			return new OfRequest(new ExplainRequest(body.text("method").orElse("GET").toUpperCase(Locale.ROOT),
					endpoint, headers, ip, body.text("user_id"), body.text("plan")), body.units("cost"));
		}
		catch (IllegalArgumentException ex) {
			throw ApiException.badRequest("'endpoint': " + ex.getMessage());
		}
	}

	/**
	 * A check of one rule.
	 *
	 * @param rule the id of the rule
	 * @param subject the subject, such as {@code ip:1.2.3.4}
	 * @param cost the units to charge; empty for the cost of the rule
	 */
	record OfRule(String rule, String subject, OptionalLong cost) implements CheckRequest {
	}

	/**
	 * A check of the rules that apply to a request.
	 *
	 * @param request the request
	 * @param cost the units that each rule charges; empty for the costs of the rules
	 */
	record OfRequest(ExplainRequest request, OptionalLong cost) implements CheckRequest {
	}

	/**
	 * The JSON object in the body of a request. A missing member is empty, and a member
	 * of another type is rejected. Immutable.
	 *
	 * @param members the members
	 */
	record JsonBody(Map<String, Object> members) {

		/** The highest whole number up to which a double has all of them. */
		private static final double MAX_EXACT = 1L << 53;

		static JsonBody parse(@Nullable String text) {
			return new JsonBody(object((text != null) ? text : ""));
		}

		JsonBody requireOnly(Set<String> known) {
			Set<String> unknown = new TreeSet<>(this.members.keySet());
			unknown.removeAll(known);
			if (!unknown.isEmpty()) {
				throw ApiException
					.badRequest("unknown members " + unknown + "; the members are " + new TreeSet<>(known));
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
			// Some parsers return all numbers as double.
			boolean whole = value instanceof Integer || value instanceof Long
					|| (value instanceof Double number && number == Math.rint(number) && number <= MAX_EXACT);
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

}
