package dev.ratelimit.rule;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class PathCoverTests {

	private static final List<String> SEGMENTS = List.of("a", "b", "*", "{x}", "{y}", "**", "{*rest}", "{x:a}", "a*",
			"");

	@ParameterizedTest
	@CsvSource({ "/**, /", "/**, /api/**", "/**, /{*rest}", "/api/**, /api", "/api/**, /api/a", "/api/**, /api/a/**",
			"/api/**, /api/{id}/b", "/api/*, /api/a", "/api/*, /api/{id}", "/api/{id}, /api/*", "/api/a, /api/a",
			"/{a}/b, /{c}/b", "/api/{*rest}, /api/a/b" })
	void generalPatternCovers(String general, String specific) {
		assertThat(PathCover.covers(general, specific)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "/**, /ws", "/ws, /**", "/ws/**, /ws", "/ws/*, /ws/a", "/ws/{id}/b, /ws/a/*", "/ws/a*, /ws/ab",
			"/ws/**/b, /ws/a", "/WS, /ws" })
	void patternsMayMeet(String one, String other) {
		assertThat(PathCover.mayMeet(one, other)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "/ws/**, /graphql", "/ws, /ws/a", "/ws/*, /ws", "/ws/a/**, /ws/b/**", "/{id}/a, /ws/b" })
	void patternsThatDifferNeverMeet(String one, String other) {
		assertThat(PathCover.mayMeet(one, other)).isFalse();
		assertThat(PathCover.mayMeet(other, one)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "/api/**, /apis", "/api/**, /", "/api/**, /**", "/api/*, /api", "/api/*, /api/", "/api/*, /api/a/b",
			"/api/*, /api/**", "/api/*, /api/{*rest}", "/api/a, /api/*", "/api/a, /api/{id}",
			"/api/{id:[0-9]+}, /api/7", "/api/a*, /api/ab", "/a/**/b, /a/x/b", "/api/a, /API/a", "/api/a, /api/a/" })
	void uncertainPathIsNotCovered(String general, String specific) {
		assertThat(PathCover.covers(general, specific)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "/api/**, /api", "/api/*, /api/a", "/{a}/b, /x/b", "/**, /", "/api/{*rest}, /api" })
	void theParserAgrees(String general, String path) {
		assertThat(PathCover.covers(general, path)).isTrue();
		assertThat(PathPatternParser.defaultInstance.parse(general).matches(PathContainer.parsePath(path))).isTrue();
	}

	@Property
	void patternsAreFoundThatCoverAnother(@ForAll long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		List<String> patterns = Stream.generate(() -> pattern(random)).limit(50).toList();
		PathCovers covers = new PathCovers();
		IntStream.range(0, patterns.size()).forEach((number) -> covers.add(patterns.get(number), number));
		for (int i = 0; i < 50; i++) {
			String specific = pattern(random);
			assertThat(covers.of(specific)).as(specific)
				.containsExactlyElementsOf(IntStream.range(0, patterns.size())
					.filter((number) -> PathCover.covers(patterns.get(number), specific))
					.boxed()
					.toList());
		}
	}

	private static String pattern(SplittableRandom random) {
		return IntStream.rangeClosed(0, random.nextInt(4))
			.mapToObj((i) -> "/" + SEGMENTS.get(random.nextInt(SEGMENTS.size())))
			.collect(Collectors.joining());
	}

}
