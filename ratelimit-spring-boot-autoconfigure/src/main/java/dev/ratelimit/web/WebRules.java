package dev.ratelimit.web;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * All rules in force, made ready for requests. Immutable.
 */
final class WebRules {

	static final WebRules EMPTY = new WebRules(Map.of());

	private final Map<String, WebRule> byId;

	private final List<WebRule> byPath;

	private WebRules(Map<String, WebRule> byId) {
		this.byId = byId;
		this.byPath = byId.values().stream().filter((rule) -> !rule.paths().isEmpty()).toList();
	}

	static WebRules of(List<CompiledRule> rules, SubjectParts parts, boolean phased, PathPatternParser parser) {
		Map<String, WebRule> byId = new TreeMap<>();
		for (CompiledRule rule : rules) {
			if (rule.rule().mode() != RuleMode.OFF) {
				byId.put(rule.rule().id(), ready(rule, parts, phased, parser));
			}
		}
		return new WebRules(byId);
	}

	Map<String, WebRule> byId() {
		return this.byId;
	}

	List<WebRule> byPath() {
		return this.byPath;
	}

	boolean has(Phase phase) {
		return this.byId.values().stream().anyMatch((rule) -> rule.phase() == phase);
	}

	private static WebRule ready(CompiledRule compiled, SubjectParts parts, boolean phased, PathPatternParser parser) {
		Rule rule = compiled.rule();
		List<PathPattern> paths = patterns(rule, "paths", rule.match().paths(), parser);
		requireVariables(rule, paths);
		return new WebRule(compiled, paths, patterns(rule, "except-paths", rule.match().exceptPaths(), parser),
				rule.match().methods(), phase(rule, parts, phased),
				rule.key().stream().map((part) -> parts.part(rule, part)).toList());
	}

	private static Phase phase(Rule rule, SubjectParts parts, boolean phased) {
		if (!phased) {
			return Phase.LATE;
		}
		boolean late = parts.needsPrincipal(rule);
		if (rule.phase() == Phase.EARLY && late) {
			throw new InvalidRuleException(property(rule, "phase"), "early",
					"the key " + rule.key() + " needs the principal, which is not known before authentication",
					"Remove 'phase', or choose a key that needs no principal, such as 'ip'.");
		}
		return (rule.phase() == Phase.LATE || late) ? Phase.LATE : Phase.EARLY;
	}

	private static List<PathPattern> patterns(Rule rule, String property, List<String> texts,
			PathPatternParser parser) {
		return texts.stream()
			.map((text) -> pattern(rule, property, text, parser))
			.sorted(Comparator.comparing((pattern) -> pattern, PathPattern.SPECIFICITY_COMPARATOR))
			.toList();
	}

	private static PathPattern pattern(Rule rule, String property, String text, PathPatternParser parser) {
		if (!text.startsWith("/")) {
			throw new InvalidRuleException(property(rule, property), text, "a path pattern starts with '/'",
					"Write '/" + text + "'.");
		}
		try {
			return parser.parse(text);
		}
		catch (PatternParseException ex) {
			throw new InvalidRuleException(property(rule, property), text,
					"the path pattern does not parse: " + ex.getMessage(),
					"Correct the pattern: ? matches a character, * a segment, ** the rest, {name} a variable.");
		}
	}

	private static void requireVariables(Rule rule, List<PathPattern> paths) {
		for (KeyPart part : rule.key()) {
			for (PathPattern pattern : paths) {
				boolean declared = HandlerRoute.declares(pattern, part.argument());
				if (part.kind() == KeyPart.Kind.PATH && !declared) {
					throw new InvalidRuleException(property(rule, "key"), part.toString(),
							"the path pattern " + pattern + " has no variable {" + part.argument() + "}",
							"Name a variable of the pattern, or add {" + part.argument() + "} to it.");
				}
			}
		}
	}

	private static String property(Rule rule, String property) {
		return "ratelimit.rules." + rule.id() + "." + property;
	}

}
