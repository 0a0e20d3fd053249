package dev.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * The entry of a document as properties: one name a value, keys of maps in brackets,
 * since the binder would take a dot in a key as a nested property.
 */
final class FlatEntry {

	/** What the names of all properties start with. */
	static final String ROOT = "rule";

	/** Properties whose keys are the application's, not ours. */
	private static final Set<String> MAPS = Arrays.stream(RuleProperties.class.getRecordComponents())
		.filter((component) -> component.getType() == Map.class)
		.map(RecordComponent::getName)
		.map(FlatEntry::uniform)
		.collect(Collectors.toUnmodifiableSet());

	private final String location;

	private final Map<String, Object> properties = new LinkedHashMap<>();

	private FlatEntry(String location) {
		this.location = location;
	}

	static Map<String, Object> of(String location, Map<String, Object> entry) {
		FlatEntry flat = new FlatEntry(location);
		flat.addMap(ROOT, entry, true);
		return flat.properties;
	}

	private void add(String path, Object value) {
		if (value instanceof Map<?, ?> map) {
			addMap(path, map, false);
		}
		else if (value instanceof List<?> list) {
			for (int i = 0; i < list.size(); i++) {
				add(path + "[" + i + "]", list.get(i));
			}
		}
		else {
			require(this.properties.putIfAbsent(path, value) == null, path, "it is there twice");
		}
	}

	private void addMap(String path, Map<?, ?> map, boolean top) {
		map.forEach((key, value) -> {
			String name = uniform(String.valueOf(key));
			// The binder would leave out other characters.
			require(name.chars().allMatch(FlatEntry::isPartOfName), path + "." + key, "this property does not exist");
			if (top && MAPS.contains(name) && value instanceof Map<?, ?> keyed) {
				keyed.forEach((inner, content) -> add(path + "." + name + "[" + inner + "]", content));
			}
			else {
				add(path + "." + name, value);
			}
		});
	}

	// As the binder compares names.
	private static String uniform(String name) {
		return name.replace("-", "").toLowerCase(Locale.ROOT);
	}

	private static boolean isPartOfName(int character) {
		return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
	}

	private void require(boolean condition, String path, String reason) {
		if (!condition) {
			throw new InvalidRuleException(this.location + path.substring(ROOT.length()), "", reason,
					"docs/configuration.md lists all properties of rules.");
		}
	}

}
