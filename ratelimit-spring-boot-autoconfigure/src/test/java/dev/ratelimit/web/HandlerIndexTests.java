package dev.ratelimit.web;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.web.HandlerIndex.Served;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the handler index with a scan of all routes.
 */
class HandlerIndexTests {

	private static final Comparator<HandlerRoute> MOST_SPECIFIC_FIRST = Comparator.comparing(HandlerRoute::pattern,
			PathPattern.SPECIFICITY_COMPARATOR);

	private static final List<HandlerKey> HANDLERS = Stream.of(String.class.getMethods())
		.sorted(Comparator.comparing(Method::toString))
		.map((method) -> new HandlerKey(String.class, method))
		.toList();

	@Property(tries = 300)
	void requestsAreServedByTheHandlerThatAScanFinds(@ForAll boolean caseSensitive, @ForAll long seed) {
		PathPatternParser parser = new PathPatternParser();
		parser.setCaseSensitive(caseSensitive);
		RandomPaths random = new RandomPaths(seed);
		List<HandlerRoute> routes = IntStream.range(0, random.next(HANDLERS.size()))
			.mapToObj((number) -> new HandlerRoute(HANDLERS.get(number), random.pattern(parser), methods(random),
					random.next(4) > 0))
			.toList();
		Set<HandlerKey> limited = Set.copyOf(HANDLERS.subList(0, random.next(HANDLERS.size())));
		HandlerIndex index = new HandlerIndex(routes, limited::contains, "");
		for (int i = 0; i < 50; i++) {
			String method = random.one(List.of("GET", "HEAD", "POST", "OPTIONS"));
			String path = random.path();
			HandlerKey asked = random.one(HANDLERS);
			FakeRequest found = FakeRequest.of(method, path).servedBy(asked);
			FakeRequest scanned = FakeRequest.of(method, path).servedBy(asked);
			assertThat(index.find(found).join()).as(path).isEqualTo(scan(routes, limited, scanned));
			assertThat(found.questions()).as(path).isEqualTo(scanned.questions());
		}
	}

	private static Optional<Served> scan(List<HandlerRoute> routes, Set<HandlerKey> limited, FakeRequest request) {
		List<HandlerRoute> matching = routes.stream()
			.sorted(MOST_SPECIFIC_FIRST)
			.filter((route) -> route.pattern().matches(request.parsedPath()))
			.toList();
		List<HandlerRoute> serving = matching.stream().filter((route) -> route.serves(request.method())).toList();
		if (serving.isEmpty() || matching.stream().noneMatch((route) -> limited.contains(route.handler()))) {
			return Optional.empty();
		}
		HandlerRoute first = serving.get(0);
		boolean alone = serving.size() == 1;
		boolean plain = first.simple() && (alone
				|| (!request.method().equals("HEAD") && MOST_SPECIFIC_FIRST.compare(first, serving.get(1)) != 0));
		Optional<HandlerKey> handler = (plain) ? Optional.of(first.handler()) : request.findHandler().join();
		return handler.filter(limited::contains)
			.flatMap((key) -> serving.stream().filter((route) -> route.handler().equals(key)).findFirst())
			.map((route) -> new Served(route.handler(), route.pattern(), request.parsedPath()));
	}

	private static Set<String> methods(RandomPaths random) {
		return (random.next(2) == 0) ? Set.of() : Set.of(random.one(List.of("GET", "POST")));
	}

	@ParameterizedTest
	@CsvSource({ "/ID/x", "/iD/x", "/%C4%B0d/x", "/%C4%B1d/x" })
	void caseInsensitiveParserFindsHandler(String path) {
		PathPatternParser parser = new PathPatternParser();
		parser.setCaseSensitive(false);
		HandlerRoute route = new HandlerRoute(HANDLERS.get(0), parser.parse("/id/x"), Set.of(), true);
		HandlerIndex index = new HandlerIndex(List.of(route), (handler) -> true, "");
		assertThat(index.find(FakeRequest.get(path)).join()).isPresent();
	}

}
