package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Generates patterns and paths of all kinds that often match.
 */
public final class RandomPaths {

	// The literals include the Kelvin sign, i with and without a dot, and letters outside
	// of the Basic Multilingual Plane, which differ only in case.
	private static final List<String> LITERALS = List.of("a", "b", "A", "ab", "id", "ID", "k", "\u212a", "\u0130d",
			"\ud801\udc00", "\ud801\udc28", "\u00df", "a b", "%61", "a.b", "");

	private static final List<String> PATTERNS = List.of("*", "**", "{x}", "{y}", "{x:[a-z]+}", "{x:a|b}", "{x:a{1,2}}",
			"{x:\\d+}", "{*rest}", "a*", "*b", "***", "?", "?b", "{x}{y}", "{x}.{y}", "{x}b", "*{x}", "{x-1}", "{x:.*}",
			"{x:a\\}", "{x:[^\\/]+}", "a{*x}", "a**");

	private static final List<String> SEGMENTS = List.of("a", "b", "A", "ab", "id", "ID", "%49d", "k", "%E2%84%AA",
			"%C4%B0d", "%C4%B1d", "%F0%90%90%80", "%F0%90%90%A8", "%C3%9F", "SS", "a%20b", "%61", "%2561", "a.b", "",
			"a;v=1", ";v=1", "a;", ".", "..", "a%2Fb", "%2e", "a%5Cb", "a\\b", "*", "%zz", "7");

	private final SplittableRandom random;

	public RandomPaths(long seed) {
		this.random = new SplittableRandom(seed);
	}

	public int next(int bound) {
		return this.random.nextInt(bound);
	}

	/**
	 * Return a random pattern.
	 * @param parser the parser
	 * @return a pattern that parses
	 */
	public PathPattern pattern(PathPatternParser parser) {
		return parsed(parser).orElseGet(() -> pattern(parser));
	}

	private Optional<PathPattern> parsed(PathPatternParser parser) {
		try {
			return Optional.of(parser.parse(text(LITERALS, PATTERNS)));
		}
		catch (PatternParseException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return a random path, as a client sends it.
	 * @return the raw path
	 */
	public String path() {
		return text(SEGMENTS, SEGMENTS);
	}

	public PathContainer parsedPath() {
		return RequestPaths.withinApplication(path(), "");
	}

	private String text(List<String> often, List<String> others) {
		StringBuilder text = new StringBuilder();
		for (int i = next(5); i >= 0; i--) {
			text.append('/').append(one((next(3) > 0) ? often.subList(0, 4) : (next(2) > 0) ? often : others));
		}
		return text.toString();
	}

	public <T> T one(List<T> values) {
		return values.get(next(values.size()));
	}

}
