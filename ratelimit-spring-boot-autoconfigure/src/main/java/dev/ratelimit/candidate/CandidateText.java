package dev.ratelimit.candidate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.live.RuleText;

/**
 * A candidate, and what was counted of it, as the fields of a hash.
 */
final class CandidateText {

	/** Before the rule and the difference that a field counts. */
	private static final String COUNT = "n:";

	private CandidateText() {
	}

	// What cannot be read is an IllegalArgumentException with the reason.
	static Optional<CandidateStore.Counted> of(Map<String, String> fields) {
		if (!fields.containsKey("version")) {
			return Optional.empty();
		}
		CandidateDocument document = new CandidateDocument(number(fields, "version"), number(fields, "base"),
				number(fields, "at"), field(fields, "by"), field(fields, "note"),
				RuleText.document(field(fields, "text")));
		Map<String, Map<String, Long>> counts = new HashMap<>();
		fields.forEach((name, value) -> {
			int end = name.lastIndexOf(':');
			if (name.startsWith(COUNT) && end > COUNT.length()) {
				counts.computeIfAbsent(name.substring(COUNT.length(), end), (rule) -> new LinkedHashMap<>())
					.put(name.substring(end + 1), Long.parseLong(value));
			}
		});
		return Optional.of(new CandidateStore.Counted(document, counts));
	}

	static long counter(Map<String, String> fields) {
		return Long.parseLong(fields.getOrDefault("count", "0"));
	}

	static String[] counts(long version, Map<String, Map<String, Long>> counts) {
		List<String> arguments = new ArrayList<>(List.of(Long.toString(version), ""));
		counts.forEach((rule, numbers) -> numbers.forEach((difference, number) -> {
			arguments.add(COUNT + rule + ":" + difference);
			arguments.add(Long.toString(number));
		}));
		arguments.set(1, Integer.toString(arguments.size() / 2 - 1));
		return arguments.toArray(String[]::new);
	}

	private static String field(Map<String, String> fields, String name) {
		return Optional.ofNullable(fields.get(name))
			.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
	}

	private static long number(Map<String, String> fields, String name) {
		return Long.parseLong(field(fields, name));
	}

}
