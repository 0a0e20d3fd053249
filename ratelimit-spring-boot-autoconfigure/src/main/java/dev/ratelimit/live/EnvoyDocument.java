package dev.ratelimit.live;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.Descriptor;
import dev.ratelimit.rule.ShownText;
import org.jspecify.annotations.Nullable;

/**
 * Translates configuration files of Envoy's rate limit service into rules. Each
 * descriptor with a limit becomes a rule with {@code descriptor}. The id of the rule
 * depends only on the domain and the entries, so that a changed limit keeps its usage.
 * Not thread-safe.
 *
 * @see <a href="https://github.com/envoyproxy/ratelimit#configuration">The format</a>
 */
final class EnvoyDocument {

	/** The maximum depth, which exceeds that of nested descriptors. */
	static final int MAX_DEPTH = 32;

	private static final String DOMAIN = "domain";

	private static final String DESCRIPTORS = "descriptors";

	private static final String RATE_LIMIT = "rate_limit";

	private static final String REQUESTS = "requests_per_unit";

	private static final String UNLIMITED = "unlimited";

	private static final Set<String> OF_DESCRIPTOR = Set.of("key", "value", RATE_LIMIT, DESCRIPTORS, "shadow_mode",
			"quota_mode", "detailed_metric", "value_to_metric", "share_threshold", "metadata");

	private static final Set<String> WITHOUT_EFFECT = Set.of("detailed_metric", "value_to_metric", "metadata");

	private static final Set<String> OF_LIMIT = Set.of("unit", REQUESTS, UNLIMITED, "name", "replaces");

	/**
	 * Periods by unit. Windows begin at multiples of the period since 1970, as in Envoy's
	 * service.
	 */
	private static final Map<String, String> UNITS = Map.of("second", "s", "minute", "min", "hour", "h", "day", "d",
			"week", "7d", "month", "30d", "year", "365d");

	private static final long MAX_UINT32 = 0xFFFFFFFFL;

	private static final int MAX_ID = 63;

	private static final int DIGEST_BYTES = 3;

	private static final int LONG_DIGEST_BYTES = 8;

	private final Map<String, Map<String, Object>> rules = new LinkedHashMap<>();

	private final Map<String, List<String>> idsByName = new HashMap<>();

	private final Map<String, List<String>> replacedNames = new LinkedHashMap<>();

	private final List<String> warnings = new ArrayList<>();

	private EnvoyDocument() {
	}

	/**
	 * Whether documents are of this format.
	 * @param documents all documents of a file
	 * @return whether one of them has a domain
	 */
	static boolean isOne(List<Object> documents) {
		return documents.stream().anyMatch((document) -> document instanceof Map<?, ?> map && map.containsKey(DOMAIN));
	}

	/**
	 * Translate the documents of a file, one for each domain.
	 * @param documents the documents: maps, lists, and texts
	 * @return the rules
	 * @throws IllegalArgumentException if they are invalid; the message is a sentence
	 * without a period
	 */
	static Translation translate(List<Object> documents) {
		EnvoyDocument translated = new EnvoyDocument();
		Set<String> domains = new HashSet<>();
		for (Object document : documents) {
			Map<String, Object> root = map(document, "the document", Set.of(DOMAIN, DESCRIPTORS));
			String domain = text(root, DOMAIN, "the document");
			require(!domain.isEmpty(), "a document has no domain");
			require(domains.add(domain), "the domain '" + ShownText.of(domain) + "' is there twice");
			translated.addAll(root.get(DESCRIPTORS), domain, List.of(), ShownText.of(domain));
		}
		translated.replace();
		Map<String, Object> rules = new LinkedHashMap<>(translated.rules);
		RuleTree.check(rules);
		return new Translation(rules, List.copyOf(translated.warnings));
	}

	private void addAll(@Nullable Object descriptors, String domain, List<Step> above, String location) {
		if (descriptors == null) {
			return;
		}
		require(descriptors instanceof List, location + "." + DESCRIPTORS + " must be a list");
		Set<String> present = new HashSet<>();
		List<String> wildcards = new ArrayList<>();
		for (Object element : (List<?>) descriptors) {
			Map<String, Object> descriptor = map(element, location + "." + DESCRIPTORS, OF_DESCRIPTOR);
			Step step = Step.of(descriptor, location);
			String place = location + "." + ShownText.of(step.entry());
			require(present.add(step.entry()), place + " is there twice");
			if (step.isWildcard()) {
				wildcards.add(step.value());
			}
			List<Step> steps = new ArrayList<>(above);
			steps.add(step);
			add(descriptor, domain, steps, place);
		}
		if (!wildcards.equals(wildcards.stream().sorted(Descriptor.Entry.WILDCARDS).toList())) {
			this.warnings
				.add(location + ": of several wildcards, the longest goes first, whatever their order in the file");
		}
	}

	private void add(Map<String, Object> descriptor, String domain, List<Step> steps, String place) {
		WITHOUT_EFFECT.stream()
			.filter(descriptor::containsKey)
			.sorted()
			.forEach((name) -> this.warnings.add(place + "." + name + " has no effect"));
		require(!flag(descriptor, "quota_mode", place), place + ".quota_mode is not supported");
		Object limit = descriptor.get(RATE_LIMIT);
		Object nested = descriptor.get(DESCRIPTORS);
		if (limit != null || nested == null) {
			Map<String, Object> rule = rule(domain, steps, flag(descriptor, "shadow_mode", place));
			String id = id(domain, steps);
			this.rules.put(id, rule);
			// Without this rule, a sibling with a wildcard would apply to the descriptor.
			rule.put("limit", (limit != null) ? limit(id, limit, place + "." + RATE_LIMIT) : UNLIMITED);
		}
		addAll(nested, domain, steps, place);
	}

	private static Map<String, Object> rule(String domain, List<Step> steps, boolean shadow) {
		Map<String, Object> rule = new LinkedHashMap<>();
		rule.put("descriptor", Map.of(DOMAIN, domain, "entries", steps.stream().map(Step::entry).toList()));
		List<String> key = steps.stream()
			.filter((step) -> step.varies() && !step.shared())
			.map((step) -> "entry:" + step.key())
			.distinct()
			.toList();
		rule.put("key", (key.isEmpty()) ? List.of("global") : key);
		rule.put("algorithm", Algorithms.CALENDAR);
		if (shadow) {
			rule.put("mode", "shadow");
		}
		return rule;
	}

	private String limit(String id, Object written, String place) {
		Map<String, Object> limit = map(written, place, OF_LIMIT);
		name(id, limit, place);
		String unit = text(limit, "unit", place).toLowerCase(Locale.ROOT);
		if (flag(limit, UNLIMITED, place)) {
			require(unit.isEmpty(), place + " is unlimited, and has a unit");
			return UNLIMITED;
		}
		require(UNITS.containsKey(unit), place + ".unit = '" + ShownText.of(unit) + "': it must be one of "
				+ String.join(", ", UNITS.keySet().stream().sorted().toList()));
		String requests = (limit.containsKey(REQUESTS)) ? text(limit, REQUESTS, place) : "0";
		require(requests.matches("[0-9]{1,10}") && Long.parseLong(requests) <= MAX_UINT32, place + "." + REQUESTS
				+ " = '" + ShownText.of(requests) + "': it must be a number up to " + MAX_UINT32);
		return Long.parseLong(requests) + "/" + UNITS.get(unit);
	}

	private void name(String id, Map<String, Object> limit, String place) {
		String name = text(limit, "name", place);
		if (!name.isEmpty()) {
			this.idsByName.computeIfAbsent(name, (any) -> new ArrayList<>()).add(id);
		}
		Object replaces = limit.get("replaces");
		if (replaces == null) {
			return;
		}
		require(replaces instanceof List, place + ".replaces must be a list");
		List<String> names = new ArrayList<>();
		for (Object element : (List<?>) replaces) {
			String replaced = text(map(element, place + ".replaces", Set.of("name")), "name", place);
			require(!replaced.isEmpty(), place + ".replaces has an empty name");
			require(!replaced.equals(name), place + ".replaces names the limit itself");
			names.add(replaced);
		}
		this.replacedNames.put(id, names);
	}

	private void replace() {
		this.replacedNames.forEach((id, names) -> {
			Set<String> replaced = new LinkedHashSet<>();
			for (String name : names) {
				List<String> ids = this.idsByName.getOrDefault(name, List.of());
				if (ids.isEmpty()) {
					this.warnings.add("no limit has the name '" + ShownText.of(name) + "', which another one replaces");
				}
				replaced.addAll(ids);
			}
			replaced.remove(id);
			if (!replaced.isEmpty()) {
				rule(id).put("replaces", List.copyOf(replaced));
			}
		});
	}

	private Map<String, Object> rule(String id) {
		return this.rules.getOrDefault(id, Map.of());
	}

	// If the digits of two descriptors are equal, the later one has more of them.
	private String id(String domain, List<Step> steps) {
		StringBuilder whole = new StringBuilder(domain);
		steps.forEach((step) -> whole.append('\0').append(step.entry()));
		String id = id(whole.toString(), DIGEST_BYTES);
		return (this.rules.containsKey(id)) ? id(whole.toString(), LONG_DIGEST_BYTES) : id;
	}

	// The words make the id readable. The digits distinguish different entries with the
	// same words.
	private static String id(String whole, int digestBytes) {
		String slug = whole.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^[^a-z]+", "");
		int words = Math.min(MAX_ID - 1 - 2 * digestBytes, slug.length());
		String start = (slug.isEmpty()) ? "descriptor" : slug.substring(0, words);
		return start.replaceAll("-+$", "") + "-" + digest(whole, digestBytes);
	}

	private static String digest(String text, int bytes) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Object value, String place, Set<String> known) {
		require(value instanceof Map, place + " must be a map");
		Map<String, Object> map = (Map<String, Object>) value;
		map.keySet()
			.stream()
			.filter((name) -> !known.contains(name))
			.findFirst()
			.ifPresent((name) -> require(false, place + ": there is no '" + ShownText.of(name) + "'"));
		return map;
	}

	private static String text(Map<String, Object> map, String name, String place) {
		Object value = map.getOrDefault(name, "");
		require(value instanceof String, place + "." + name + " must be a text");
		return (String) value;
	}

	private static boolean flag(Map<String, Object> map, String name, String place) {
		String value = text(map, name, place);
		require(value.isEmpty() || value.equals("true") || value.equals("false"),
				place + "." + name + " must be 'true' or 'false'");
		return value.equals("true");
	}

	private static void require(boolean condition, String reason) {
		if (!condition) {
			throw new IllegalArgumentException(reason);
		}
	}

	/**
	 * An entry of a descriptor.
	 *
	 * @param key its key
	 * @param value its value; empty for any value
	 * @param shared whether all values of a wildcard count together
	 */
	private record Step(String key, String value, boolean shared) {

		static Step of(Map<String, Object> descriptor, String location) {
			String key = text(descriptor, "key", location);
			require(!key.isEmpty(), location + ": the key of a descriptor is empty");
			require(key.indexOf('=') < 0, location + "." + ShownText.of(key)
					+ ": a key must not contain '=', which separates it from its value in rules");
			Step step = new Step(key, text(descriptor, "value", location),
					flag(descriptor, "share_threshold", location));
			require(!step.shared || step.isWildcard(),
					location + "." + ShownText.of(key) + ": 'share_threshold' requires a value with '*'");
			return step;
		}

		boolean isWildcard() {
			return this.value.indexOf('*') >= 0;
		}

		boolean varies() {
			return this.value.isEmpty() || isWildcard();
		}

		String entry() {
			return (this.value.isEmpty()) ? this.key : this.key + "=" + this.value;
		}

	}

	/**
	 * The rules of a file.
	 *
	 * @param rules the entries by rule id
	 * @param warnings warnings of properties that have no effect, or a different effect
	 */
	record Translation(Map<String, Object> rules, List<String> warnings) {
	}

}
