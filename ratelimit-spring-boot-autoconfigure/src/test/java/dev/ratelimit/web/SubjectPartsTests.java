package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RequestView;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.base.Claims;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Access;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubjectPartsTests {

	private static final Claims CLAIMS = (request,
			name) -> request.principal().filter((user) -> name.equals("tenant")).map((user) -> "acme|1");

	private final RecordingStore store = new RecordingStore();

	private final RateLimitEngine engine = Engines.of(this.store);

	@ParameterizedTest
	@CsvSource({ "caller, user:alice", "user, user:alice", "ip, ip:2001:db8::/64", "global, global",
			"route, route:/t/%7bid%7d", "header:X-Key, header:k", "path:id, path:7%7c8", "param:q, param:a%20b",
			"claim:tenant, claim:acme%7c1", "bean:tenant, bean:acme", "cookie:sid, cookie:s1" })
	void eachKindOfKeyIsFoundWhereItSays(String key, String subject) {
		FakeRequest request = FakeRequest.get("/t/7%7c8?p=1&q=a+b&q=c")
			.header("x-key", "k")
			.header("X-Key", "second")
			.header("X-Tenant", "acme")
			.header("Cookie", "theme=dark; sid=s1; SID=other")
			.from("2001:DB8:0:0:1::5")
			.by("alice");
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key(key), request)).isEqualTo(subject);
	}

	// Such as a token without a subject.
	@Test
	void aPrincipalWithoutANameIsMissing() {
		FakeRequest nameless = FakeRequest.get("/t/7").by(null);
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("caller"), nameless)).isEqualTo("ip:192.0.2.1");
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("user"), nameless)).isEqualTo("ip:192.0.2.1");
	}

	@Test
	void callerWithoutAPrincipalIsItsAddress() {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("caller"), FakeRequest.get("/t/7")))
			.isEqualTo("ip:192.0.2.1");
	}

	@Test
	void peerWithoutAnAddressSharesABucket() {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("ip"), FakeRequest.get("/t/7").from("")))
			.isEqualTo("ip:unknown");
	}

	@ParameterizedTest
	@CsvSource({ "user, SHARED, user:~none", "header:X, SHARED, header:~none", "claim:role, SHARED, claim:~none",
			"param:q, SHARED, param:~none", "header:X, IP, ip:192.0.2.1", "user, IP, ip:192.0.2.1", "header:X, SKIP, -",
			"header:X, DENY, -" })
	void requestWithoutTheKeyGetsWhatTheRuleSays(String key, MissingKeyPolicy policy, String subject) {
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/h").key(key).onMissingKey(policy);
		assertThat(subject(rule, FakeRequest.get("/t/7?q=").header("X", ""))).isEqualTo(subject);
	}

	@ParameterizedTest
	@CsvSource({ "user, ip:192.0.2.1", "claim:role, ip:192.0.2.1", "header:X, header:~none", "param:q, param:~none",
			"form:name, form:~none", "bean:tenant, bean:~none", "'user,header:X', ip:192.0.2.1|header:~none" })
	void addressReplacesThePrincipalAloneIfTheRuleSaysNothing(String key, String subject) {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key(key.split(",")), FakeRequest.get("/t/7?q=")))
			.isEqualTo(subject);
	}

	@ParameterizedTest
	@CsvSource({ "SHARED, ip:192.0.2.1|header:~none", "IP, ip:192.0.2.1|ip:192.0.2.1", "SKIP, -", "DENY, -" })
	void keyOfSeveralPartsIsMissingIfOneIs(MissingKeyPolicy policy, String subject) {
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/h").key("ip", "header:X").onMissingKey(policy);
		assertThat(subject(rule, FakeRequest.get("/t/7"))).isEqualTo(subject);
		assertThat(subject(rule, FakeRequest.get("/t/7").header("X", "a|b"))).isEqualTo("ip:192.0.2.1|header:a%7cb");
	}

	@Test
	void callersCannotNameTheBucketOfThoseWithoutAKey() {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("header:X"),
				FakeRequest.get("/t/7").header("X", "~none")))
			.isEqualTo("header:%7enone");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/t/7?q[]=x", "/t/7?!q=x", "/t/7?Q=x", "/t/7?q=&q=x", "/t/7?q=&q[]=x" })
	void anotherSpellingOfAParameterIsNoKeyAndNotSkipped(String target) {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("param:q"), FakeRequest.get(target)))
			.isEqualTo("param:~none");
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("param:q").onMissingKey(MissingKeyPolicy.SKIP),
				FakeRequest.get(target)))
			.isEqualTo("param:~none");
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("param:q"), FakeRequest.get(target + "&q=1")))
			.isEqualTo((target.contains("?q=")) ? "param:~none" : "param:1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Q", "q", "-q", "Q-", "!q", "q[0]" })
	void aHeaderThatDataBindingReadsForAParameterIsNoKeyAndNotSkipped(String header) {
		RuleBuilder skipping = RuleBuilder.rule("a").limits("1/h").key("param:q").onMissingKey(MissingKeyPolicy.SKIP);
		assertThat(subject(skipping, FakeRequest.get("/t/7").header(header, "x"))).isEqualTo("param:~none");
		assertThat(subject(skipping, FakeRequest.get("/t/7?q=1").header(header, "x"))).isEqualTo("param:1");
		assertThat(subject(skipping, FakeRequest.get("/t/7").header("X-Q", "x"))).isEqualTo("-");
	}

	@Test
	void aHeaderThatDataBindingDoesNotReadIsSkipped() {
		assertThat(subject(RuleBuilder.rule("a").limits("1/h").key("param:host").onMissingKey(MissingKeyPolicy.SKIP),
				FakeRequest.get("/t/7").header("Host", "x")))
			.isEqualTo("-");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sid=1; sid=2", "sid=2; a=b; sid=1", "sid=; sid=1" })
	void severalCookiesOfOneNameAreNoKeyAndNotSkipped(String cookies) {
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/h").key("cookie:sid");
		assertThat(subject(rule, FakeRequest.get("/t/7").header("Cookie", cookies))).isEqualTo("cookie:~none");
		RuleBuilder skipping = RuleBuilder.rule("a").limits("1/h").key("cookie:sid");
		assertThat(subject(skipping.onMissingKey(MissingKeyPolicy.SKIP),
				FakeRequest.get("/t/7").header("Cookie", cookies)))
			.isEqualTo("cookie:~none");
		assertThat(subject(skipping, FakeRequest.get("/t/7").header("Cookie", "side=1; a=sid"))).isEqualTo("-");
		assertThat(subject(skipping, FakeRequest.get("/t/7").header("Cookie", "sid=1; sid=1"))).isEqualTo("cookie:1");
	}

	@Test
	void argumentsAreOfBeanMethods() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> subject(RuleBuilder.rule("a").limits("1/h").key("arg:id"), FakeRequest.get("/t/7")))
			.withMessageContaining("requests have no arguments");
	}

	@Test
	void resolverThatThereIsNotIsTold() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> subject(RuleBuilder.rule("a").limits("1/h").key("bean:tenent"), FakeRequest.get("/t/7")))
			.satisfies((failure) -> {
				assertThat(failure.location()).isEqualTo("ratelimit.rules.a.key");
				assertThat(failure.value()).isEqualTo("bean:tenent");
				assertThat(failure.action()).contains("[tenant]");
			});
	}

	@Test
	void claimsThatNobodyCanHaveAreTold() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> subject(RuleBuilder.rule("a").limits("1/h").key("claim:tenant"), FakeRequest.get("/t/7"),
					Optional.empty()))
			.satisfies((failure) -> {
				assertThat(failure.location()).isEqualTo("ratelimit.rules.a.key");
				assertThat(failure.value()).isEqualTo("claim:tenant");
				assertThat(failure.action()).contains("spring-boot-starter-security-oauth2-resource-server");
			});
	}

	private String subject(RuleBuilder rule, FakeRequest request) {
		return subject(rule, request, Optional.of(CLAIMS));
	}

	private String subject(RuleBuilder rule, FakeRequest request, Optional<Claims> claims) {
		this.store.subject = "-";
		Callers callers = new Callers(ClientAddresses.OF_PEER, Access.EQUAL, Authorities.NONE, claims);
		RequestGate gate = new RequestGate(this.engine,
				new GateSettings(new Resolvers(Map.of("tenant", new Tenant()), Map.of(), Optional.empty()), callers,
						new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false, RequestObserver.NONE,
						PartitionKeys.NONE));
		RuleSet set = RuleSet.EMPTY.next(List.of(rule.paths("/t/{id}").build()));
		this.engine.editions().adopt(set.rules().values());
		gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		gate.enter(RuleScope.LATE, request, RequestProgress.START).join();
		return this.store.subject;
	}

	private static final class Tenant implements KeyResolver {

		@Override
		public Optional<String> resolve(RequestView request) {
			return request.header("X-Tenant");
		}

	}

	private static final class RecordingStore implements LimitStore {

		private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 60_000_000_000L);

		private String subject = "-";

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			this.subject = demand.charges().get(0).bucket().subject();
			return this.store.acquire(demand);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
