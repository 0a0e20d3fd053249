package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Phase;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.Exemption;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.web.HandlerIndex.Served;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the rules that match a request with a scan of all rules. The rules of the
 * handler come first, followed by the others in the order of their IDs, each for the sent
 * path and then for the normalized path.
 */
class PathMatchingTests {

	private static final HandlerKey HANDLER = new HandlerKey(Object.class,
			ClassUtils.getMethod(Object.class, "hashCode"));

	@Property(tries = 300)
	void requestsMeetTheRulesThatAScanFinds(@ForAll boolean caseSensitive, @ForAll long seed) {
		PathPatternParser parser = new PathPatternParser();
		parser.setCaseSensitive(caseSensitive);
		RandomPaths random = new RandomPaths(seed);
		HandlerRules handlers = handlers(random);
		GateRules rules = rules(random, parser, handlers);
		for (int i = 0; i < 50; i++) {
			FakeRequest request = request(random);
			Optional<Served> served = served(random, request, parser);
			for (Phase phase : Phase.values()) {
				Phase asked = (phase == Phase.AUTO) ? null : phase;
				assertThat(rules.matching(asked, request, served)).as("%s", request.path())
					.isEqualTo(scan(rules, asked, request, served));
			}
		}
	}

	private static List<MatchedRule> scan(GateRules rules, @Nullable Phase phase, FakeRequest request,
			Optional<Served> served) {
		PathContainer normalized = (rules.rules().hasPaths()) ? request.normalizedPath() : null;
		Exemption exempt = served.map((found) -> rules.handlers().exemption(found.handler())).orElse(Exemption.NONE);
		if (exempt.all() && normalized == null) {
			return List.of();
		}
		Exemption normalizedExempt = (normalized != null && served.isPresent()
				&& !served.get().pattern().matches(normalized)) ? Exemption.NONE : exempt;
		List<String> named = served.map((found) -> rules.handlers().rules(found.handler())).orElse(List.of());
		List<MatchedRule> matches = new ArrayList<>();
		named.stream()
			.flatMap((id) -> Stream.ofNullable(rules.rules().byId().get(id)))
			.filter((rule) -> phase == null || rule.phase() == phase)
			.forEach((rule) -> matches.add(new MatchedRule(rule, served.get().pattern(), served.get().path())));
		for (WebRule rule : rules.rules().byId().values()) {
			if ((phase == null || rule.phase() == phase) && !named.contains(rule.id())) {
				add(rule, request.method(), request.parsedPath(), exempt, matches);
				add(rule, request.method(), normalized, normalizedExempt, matches);
			}
		}
		return matches;
	}

	private static void add(WebRule rule, String method, @Nullable PathContainer path, Exemption exempt,
			List<MatchedRule> matches) {
		if (path != null && !exempt.covers(rule.id()) && rule.mismatch(method, path).isEmpty()) {
			PathPattern pattern = rule.paths().stream().filter((one) -> one.matches(path)).findFirst().orElseThrow();
			matches.add(new MatchedRule(rule, pattern, path));
		}
	}

	// Create a request without a mapped path, as on WebFlux, or with one, as in a servlet
	// container.
	private static FakeRequest request(RandomPaths random) {
		FakeRequest request = FakeRequest.of(random.one(List.of("GET", "HEAD", "POST")), random.path());
		return (random.next(2) == 0) ? request : request.mapped(random.path());
	}

	private static Optional<Served> served(RandomPaths random, FakeRequest request, PathPatternParser parser) {
		return (random.next(2) == 0) ? Optional.empty()
				: Optional.of(new Served(HANDLER, random.pattern(parser), request.parsedPath()));
	}

	private static HandlerRules handlers(RandomPaths random) {
		Set<String> exempt = (random.next(2) == 0) ? Set.of() : Set.of(id(random), "no-rule");
		return new HandlerRules(HandlerIndex.EMPTY,
				(random.next(2) == 0) ? Map.of() : Map.of(HANDLER, List.of(id(random), "none")), (random.next(2) == 0)
						? Map.of() : Map.of(HANDLER, new Exemption(exempt.isEmpty() && random.next(2) == 0, exempt)));
	}

	private static GateRules rules(RandomPaths random, PathPatternParser parser, HandlerRules handlers) {
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(10, () -> 0));
		RequestGate gate = new RequestGate(engine,
				GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, true));
		engine.editions()
			.adopt(IntStream.range(0, random.next(40)).mapToObj((number) -> rule(number, random, parser)).toList());
		gate.bind(handlers, parser);
		return gate.rules(engine.editions().current());
	}

	private static Rule rule(int number, RandomPaths random, PathPatternParser parser) {
		RuleBuilder rule = RuleBuilder.rule("r" + number)
			.limits("9/h")
			.key((random.next(2) == 0) ? "ip" : "user")
			.paths(patterns(random, parser, random.next(4)))
			.exceptPaths(patterns(random, parser, random.next(2)));
		return ((random.next(3) == 0) ? rule.methods(random.one(List.of("GET", "HEAD", "POST"))) : rule).build();
	}

	private static String[] patterns(RandomPaths random, PathPatternParser parser, int count) {
		return Stream.generate(() -> random.pattern(parser).getPatternString()).limit(count).toArray(String[]::new);
	}

	private static String id(RandomPaths random) {
		return "r" + random.next(5);
	}

}
