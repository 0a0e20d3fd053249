package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.Phase;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the data that the late phase takes over from the early one, and the data that it
 * looks up.
 */
class LookupTests {

	private static final PathPatternParser PARSER = PathPatternParser.defaultInstance;

	private static final Rule EARLY = RuleBuilder.rule("early").limits("9/h").key("ip").build();

	private static final Rule LATE = RuleBuilder.rule("late").limits("9/h").key("user").build();

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	private final RequestGate gate = new RequestGate(this.engine,
			GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, true));

	private final HandlerKey handler = new HandlerKey(Object.class, ClassUtils.getMethod(Object.class, "hashCode"));

	@Test
	void latePhaseReusesTheHandlerOfTheEarlyPhase() {
		use(EARLY, LATE);
		FakeRequest request = request("GET", "/things/1");
		RequestProgress early = enter(Phase.EARLY, request, RequestProgress.START);
		assertThat(names(early)).containsExactly("early");
		assertThat(names(enter(Phase.LATE, request, early))).containsExactly("early", "late");
		assertThat(request.questions()).isOne();
	}

	@Test
	void missingHandlerIsKeptForLatePhase() {
		use(EARLY, LATE);
		FakeRequest request = FakeRequest.get("/things/1");
		RequestProgress early = enter(Phase.EARLY, request, RequestProgress.START);
		assertThat(names(enter(Phase.LATE, request, early))).isEmpty();
		assertThat(request.questions()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "POST, /things/1", "GET, /things/2", "GET, /things/%31" })
	void requestOfAnotherMethodOrPathIsLookedUpAgain(String method, String path) {
		use(EARLY, LATE);
		RequestProgress early = enter(Phase.EARLY, FakeRequest.get("/things/1"), RequestProgress.START);
		FakeRequest changed = request(method, path);
		assertThat(names(enter(Phase.LATE, changed, early))).containsExactly("late");
		assertThat(changed.questions()).isOne();
	}

	@Test
	void rulesThatChangeBetweenThePhasesLeaveTheRequestItsHandler() {
		use(EARLY, LATE);
		FakeRequest request = request("GET", "/things/1");
		RequestProgress early = enter(Phase.EARLY, request, RequestProgress.START);
		this.engine.editions().adopt(List.of());
		assertThat(names(enter(Phase.LATE, request, early))).containsExactly("early", "late");
		assertThat(request.questions()).isOne();
	}

	@Test
	void lonePhaseLooksUpByItselfAndLeavesNothingBehind() {
		use(LATE);
		RequestProgress late = enter(Phase.LATE, request("GET", "/things/1"), RequestProgress.START);
		assertThat(names(late)).containsExactly("late");
		assertThat(late.matched()).isNull();
		use(EARLY);
		RequestProgress early = enter(Phase.EARLY, request("GET", "/things/1"), RequestProgress.START);
		assertThat(names(early)).containsExactly("early");
		assertThat(early.matched()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "/app, /app/a%20b;v=1/c, /app, /app/a%20b;v=1/c, true", "'', /a, '', /a, true", "'', '', '', '', true",
			"/app, /app, /app, /app, true", "'', /a, '', /b, false", "'', /a, '', /a/, false",
			"/app, /app/a, '', /app/a, false", "'', /app/a, /app, /app/a, false", "'', /a/%zz, '', /a/%zz, false" })
	void pathIsParsedAgainOnlyIfItsTextDiffers(String context, String path, String laterContext, String laterPath,
			boolean same) {
		PathContainer parsed = Lookup.path(RequestProgress.START, path, context);
		RequestProgress early = RequestProgress.START.knowing(
				new Lookup(HandlerIndex.EMPTY, "GET", parsed, Optional.empty(), Optional.empty(), Optional.empty()));
		PathContainer later = Lookup.path(early, laterPath, laterContext);
		assertThat(later == parsed).isEqualTo(same);
		assertThat(later).isEqualTo(RequestPaths.withinApplication(laterPath, laterContext));
	}

	private FakeRequest request(String method, String path) {
		return FakeRequest.of(method, path).by("alice").servedBy(this.handler);
	}

	private RequestProgress enter(Phase phase, FakeRequest request, RequestProgress sofar) {
		return this.gate.enter(RuleScope.of(phase), request, sofar).join();
	}

	private static List<String> names(RequestProgress progress) {
		return progress.decision().verdicts().stream().map((verdict) -> verdict.policy().name()).toList();
	}

	// The route is not simple, so the lookup uses the request itself.
	private void use(Rule... rules) {
		RuleSet set = RuleSet.EMPTY.next(List.of(rules));
		this.engine.editions().adopt(set.rules().values());
		HandlerRoute route = new HandlerRoute(this.handler, PARSER.parse("/things/{id}"), Set.of(), false);
		HandlerIndex index = new HandlerIndex(List.of(route), this.handler::equals, "");
		this.gate.bind(new HandlerRules(index, Map.of(this.handler, List.of("early", "late"))), PARSER);
	}

}
