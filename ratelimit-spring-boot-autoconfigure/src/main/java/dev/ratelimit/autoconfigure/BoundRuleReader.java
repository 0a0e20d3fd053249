package dev.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.Phase;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleReader;
import dev.ratelimit.rule.SplitPatterns;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Internal: reads live rules with Boot's binder, so that they have the property names and
 * values of {@code application.yml}. Placeholders are not resolved, because they could
 * reveal secrets of the application. Thread-safe.
 */
public final class BoundRuleReader implements RuleReader {

	private static final Bindable<RuleProperties> RULE = Bindable.of(RuleProperties.class);

	@Override
	public RuleDefinition read(String location, Map<String, Object> entry) {
		Map<String, Object> properties = FlatEntry.of(location, entry);
		require(!properties.containsKey(FlatEntry.ROOT + ".locked"), location + ".locked", "",
				"live rules cannot lock rules", "Set it in the properties of the application.");
		RuleProperties rule = bind(location, properties);
		require(rule.phase() != Phase.AUTO, location + ".phase", "auto", "live rules cannot unset the phase",
				"Set 'early' or 'late', or remove the property.");
		require(rule.programmatic() || !properties.containsKey(FlatEntry.ROOT + ".programmatic"),
				location + ".programmatic", "false", "live rules cannot unset it", "Remove the property.");
		requirePlain(location + ".paths", rule.paths());
		requirePlain(location + ".except-paths", rule.exceptPaths());
		return rule.definition(location);
	}

	private static RuleProperties bind(String location, Map<String, Object> properties) {
		Binder binder = new Binder(List.of(new MapConfigurationPropertySource(properties)), PlaceholdersResolver.NONE);
		BindHandler handler = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
		try {
			return binder.bind(FlatEntry.ROOT, RULE, handler).get();
		}
		catch (RuntimeException ex) {
			throw BindFailures.invalidRule(location, FlatEntry.ROOT, ex);
		}
	}

	// Clients choose paths, so the evaluation of a regular expression of a document could
	// take very long.
	private static void requirePlain(String location, List<String> patterns) {
		for (String pattern : SplitPatterns.rejoined(patterns)) {
			require(!hasRegularExpression(pattern), location, pattern, "live rules must not have regular expressions",
					"Use '*', '**', and '{name}'.");
		}
	}

	private static boolean hasRegularExpression(String pattern) {
		int open = pattern.indexOf('{');
		while (open >= 0) {
			int colon = pattern.indexOf(':', open);
			int close = pattern.indexOf('}', open);
			if (colon >= 0 && (close < 0 || colon < close)) {
				return true;
			}
			open = pattern.indexOf('{', open + 1);
		}
		return false;
	}

	private static void require(boolean condition, String location, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(location, value, reason, action);
		}
	}

	/**
	 * Translates failures of Boot's binder for a document of live rules, because the
	 * message of the binder describes a failed start of the application.
	 */
	private static final class BindFailures {

		private static final String LIST = "docs/configuration.md lists all properties of rules.";

		private BindFailures() {
		}

		static InvalidRuleException invalidRule(String location, String root, RuntimeException failure) {
			UnboundConfigurationPropertiesException unbound = find(failure,
					UnboundConfigurationPropertiesException.class);
			if (unbound != null) {
				ConfigurationPropertyName name = unbound.getUnboundProperties().iterator().next().getName();
				String meant = PropertyNames.nearest(ConfigurationPropertyName.of(root), RuleProperties.class, name)
					.map((found) -> "; did you mean '" + below(root, found).substring(1) + "'?")
					.orElse("");
				return new InvalidRuleException(location + below(root, name.toString()), "",
						"this property does not exist" + meant, LIST);
			}
			InvalidRuleException ours = find(failure, InvalidRuleException.class);
			if (ours != null) {
				return ours;
			}
			BindException bind = find(failure, BindException.class);
			if (bind == null) {
				throw failure;
			}
			ConfigurationProperty property = bind.getProperty();
			String value = (property != null) ? String.valueOf(property.getValue()) : "";
			return new InvalidRuleException(
					location + below(root,
							(property != null) ? property.getName().toString() : bind.getName().toString()),
					value, reason(failure, bind, value), LIST);
		}

		private static String below(String root, String name) {
			return name.substring(Math.min(root.length(), name.length()));
		}

		private static String reason(RuntimeException failure, BindException bind, String value) {
			ConversionFailedException conversion = find(failure, ConversionFailedException.class);
			Class<?> type = (conversion != null) ? conversion.getTargetType().getObjectType()
					: bind.getTarget().getType().resolve(Object.class);
			return InvalidValueFailureAnalyzer.reason(type, value).orElse("it has another form");
		}

		private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
			Throwable next = failure;
			while (next != null && !type.isInstance(next)) {
				next = next.getCause();
			}
			return type.cast(next);
		}

	}

	/**
	 * The entry of a document as properties: one name for each value, with keys of maps
	 * in brackets, because the binder treats a dot in a key as a nested property.
	 */
	private static final class FlatEntry {

		/** The first part of the names of all properties. */
		static final String ROOT = "rule";

		/** Properties whose keys the application chooses. */
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
				// The binder ignores other characters.
				require(name.chars().allMatch(FlatEntry::isPartOfName), path + "." + key,
						"this property does not exist");
				if (top && MAPS.contains(name) && value instanceof Map<?, ?> keyed) {
					keyed.forEach((inner, content) -> add(path + "." + name + "[" + inner + "]", content));
				}
				else {
					add(path + "." + name, value);
				}
			});
		}

		// The binder compares names in this form.
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

}
