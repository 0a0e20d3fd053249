package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.ratelimit.Phase;
import dev.ratelimit.base.SplitPatterns;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleReader;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * Internal: reads live rules with Boot's binder, so that they have the words of
 * {@code application.yml}. No placeholder is resolved: a document could read the secrets
 * of the application. Thread-safe.
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

	// A regular expression of a document could take very long on a path that a client
	// chooses.
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

}
