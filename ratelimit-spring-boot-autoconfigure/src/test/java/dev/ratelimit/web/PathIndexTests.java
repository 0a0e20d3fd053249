package dev.ratelimit.web;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.engine.CaseFolding;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the path index with a scan of all patterns.
 */
class PathIndexTests {

	private static final PathPatternParser PARSER = PathPatternParser.defaultInstance;

	@Property
	void everyPatternThatMatchesIsFoundOnceAndInOrder(@ForAll boolean caseSensitive, @ForAll long seed) {
		PathPatternParser parser = new PathPatternParser();
		parser.setCaseSensitive(caseSensitive);
		RandomPaths random = new RandomPaths(seed);
		List<PathPattern> patterns = Stream.generate(() -> random.pattern(parser)).limit(1 + random.next(60)).toList();
		PathIndex<PathPattern> index = PathIndex.of(patterns, List::of, !caseSensitive);
		for (int i = 0; i < 100; i++) {
			PathContainer path = random.parsedPath();
			List<PathEntry<PathPattern>> candidates = index.candidates(path);
			assertThat(candidates).extracting(PathEntry::position).isSorted().doesNotHaveDuplicates();
			assertThat(candidates.stream().filter((candidate) -> candidate.pattern().matches(path)))
				.extracting(PathEntry::position)
				.as("%s", path)
				.isEqualTo(IntStream.range(0, patterns.size())
					.filter((position) -> patterns.get(position).matches(path))
					.boxed()
					.toList());
		}
	}

	@Test
	void charactersFoldToOneIfTheyAreEqualButForTheirCase() {
		Map<String, String> first = new HashMap<>();
		IntStream.range(0, 0x20000).filter((one) -> Character.getType(one) != Character.SURROGATE).forEach((one) -> {
			String text = "-" + Character.toString(one);
			assertThat(text).isEqualToIgnoringCase(first.computeIfAbsent(CaseFolding.fold(text), (key) -> text));
			for (int other : List.of(Character.toUpperCase(one), Character.toLowerCase(one))) {
				assertThat(CaseFolding.fold("-" + Character.toString(other))).isEqualTo(CaseFolding.fold(text));
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/{}", "/api/{}/{id}", "/{tenant}/{}", "/{tenant}/*/{}/**", "/*/{id:[0-9]+}/{}" })
	void patternsThatDifferInALiteralAreNotLookedAt(String pattern) {
		List<PathPattern> patterns = IntStream.range(0, 1000)
			.mapToObj((number) -> PARSER.parse(pattern.replace("{}", "r" + number)))
			.toList();
		PathIndex<PathPattern> index = PathIndex.of(patterns, List::of, false);
		String path = pattern.replace("{}", "r500").replaceAll("\\*\\*|\\*|\\{[^/]*}", "7");
		assertThat(index.candidates(PathContainer.parsePath(path))).extracting(PathEntry::pattern)
			.containsExactly(patterns.get(500));
		assertThat(index.candidates(PathContainer.parsePath(path.replace("r500", "other")))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/a/*, /a/", "/a/**, /a", "/a/**, /a/", "/a/{*b}, /a", "/**, ''", "/**/a, /b/a", "/a/***, /a/",
			"/a/***/**, /a/", "//a, //a", "/a/, /a/", "/a/**, /a;v=1", "/a b, /a%20b", "'', ''" })
	void patternsOfUnusualMeaningAreFound(String pattern, String path) {
		PathIndex<PathPattern> index = PathIndex.of(List.of(PARSER.parse(pattern)), List::of, false);
		assertThat(index.candidates(PathContainer.parsePath(path))).singleElement()
			.matches((candidate) -> candidate.pattern().matches(PathContainer.parsePath(path)));
	}

	@Test
	void candidatesFromOneListAreNotCopied() {
		PathIndex<PathPattern> index = PathIndex.of(List.of(PARSER.parse("/a/b"), PARSER.parse("/a/{x}/c")), List::of,
				false);
		PathContainer path = PathContainer.parsePath("/a/b");
		assertThat(index.candidates(path)).isSameAs(index.candidates(path)).hasSize(1);
	}

}
