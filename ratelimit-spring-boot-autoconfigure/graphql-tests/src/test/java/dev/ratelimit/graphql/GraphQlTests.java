package dev.ratelimit.graphql;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import graphql.ExecutionInput;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.execution.preparsed.persisted.InMemoryPersistedQueryCache;
import graphql.execution.preparsed.persisted.PersistedQuerySupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.embedded.RedisServer;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests operations on real servers of both stacks.
 */
class GraphQlTests {

	private static final String FIELDS = "ratelimit.rules.graph.graphql=Query.*,Mutation.*,Subscription.*";

	private static final String COST = "ratelimit.rules.graph.cost=graphql";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anOperationCostsWhatItsFieldsCost(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=100/h", COST)) {
			ShopServer.Reply reply = shop.query("alice", "{ product(id: 1) { name reviews { author } } }");
			assertThat(reply.allowed()).isTrue();
			// The product costs 1, its reviews cost 1, and the author of each of 3
			// reviews costs 2.
			assertThat(reply.remaining()).isEqualTo(100 - 8);
			assertThat(shop.query("alice", "mutation { order(product: 1) { id } }").remaining()).isEqualTo(82);
			assertThat(shop.query("bob", "{ stock }").remaining()).isEqualTo(99);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aliasesFragmentsAndVariablesDoNotHideFields(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1000/365d", COST)) {
			assertThat(shop.query("alice", "{ a: stock b: stock c: stock }").remaining()).isEqualTo(997);
			assertThat(
					shop.query("alice", "query { ...all } fragment all on Query { a: product(id: 1) { id } b: stock }")
						.remaining())
				.isEqualTo(995);
			String query = "query($n: Int, $no: Boolean!) { products(first: $n) { reviews { text } } stock @skip(if: $no) }";
			// The products cost 1, and the reviews of each of 20 products cost 1.
			assertThat(shop.query("alice", query, Map.of("n", 20, "no", true), Map.of()).remaining()).isEqualTo(974);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRejectedOperationIsNotExecuted(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=2/h")) {
			assertThat(shop.query("alice", "mutation { a: login(name: \"x\") b: login(name: \"x\") }").allowed())
				.isTrue();
			ShopServer.Reply rejected = shop.query("alice", "mutation { login(name: \"x\") }");
			assertThat(shop.resolvers().calls()).isEqualTo(2);
			assertThat(rejected.response().statusCode()).isEqualTo(200);
			assertThat(rejected.body().has("data")).isFalse();
			assertThat(rejected.body().path("errors")).hasSize(1);
			assertThat(rejected.code()).isEqualTo("RATE_LIMITED");
			JsonNode extensions = rejected.body().path("errors").path(0).path("extensions");
			assertThat(extensions.path("policies").path(0).asString()).isEqualTo("graph");
			assertThat(rejected.header("Retry-After")).contains(extensions.path("retryAfterSeconds").asString());
			assertThat(shop.query("bob", "mutation { login(name: \"x\") }").allowed()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRuleThatDoesNotEnforceReplacesNoOther(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h", "ratelimit.rules.shadow.graphql=Query.*",
				"ratelimit.rules.shadow.limit=9/h", "ratelimit.rules.shadow.key=user",
				"ratelimit.rules.shadow.replaces=graph", "ratelimit.rules.shadow.mode=shadow")) {
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock }").allowed()).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRuleReplacesAnotherForItsOwnFieldsOnly(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h",
				"ratelimit.rules.cheap.graphql=Query.stock", "ratelimit.rules.cheap.limit=100/h",
				"ratelimit.rules.cheap.key=user", "ratelimit.rules.cheap.replaces=graph")) {
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock product(id: 1) { id } }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock product(id: 1) { id } }").allowed()).isFalse();
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void rulesOfOneBucketAddTheirFields(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=100/h",
				"ratelimit.rules.a.graphql=Query.stock", "ratelimit.rules.a.limit=3/h", "ratelimit.rules.a.key=user",
				"ratelimit.rules.a.bucket=shared", "ratelimit.rules.b.graphql=Query.product",
				"ratelimit.rules.b.limit=3/h", "ratelimit.rules.b.key=user", "ratelimit.rules.b.bucket=shared")) {
			assertThat(shop.query("alice", "{ stock product(id: 1) { id } }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock product(id: 1) { id } }").allowed()).isFalse();
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aVariableThatFailsWhenItsFieldIsFetchedIsNoWayAround(WebApplicationType stack) {
		String query = "query($x: ID = \"1\") { a: product(id: 1) { name } b: product(id: $x) { name } }";
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h")) {
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			int before = shop.resolvers().calls();
			ShopServer.Reply failed = shop.query("alice", query, Collections.singletonMap("x", null), Map.of());
			assertThat(shop.resolvers().calls()).isEqualTo(before);
			assertThat(failed.body().path("errors")).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void whatNoWaitHelpsIsTooComplex(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=50/h", COST)) {
			ShopServer.Reply rejected = shop.query("alice", "{ products(first: 1000) { related { id } } }");
			assertThat(rejected.code()).isEqualTo("TOO_COMPLEX");
			assertThat(rejected.header("Retry-After")).isEmpty();
			assertThat(shop.query("alice", "{ stock }").remaining()).isEqualTo(49);
			assertThat(shop.resolvers().calls()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void fragmentsThatMultiplyAreRejectedSoon(WebApplicationType stack) {
		String fragments = IntStream.range(0, 16)
			.mapToObj((level) -> "fragment f" + level + " on Product { a" + level + ": related { ...f" + (level + 1)
					+ " } b" + level + ": related { ...f" + (level + 1) + " } }")
			.collect(Collectors.joining("\n"));
		String bomb = "{ product(id: 1) { ...f0 } }\n" + fragments + "\nfragment f16 on Product { id }";
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1000000/h", COST)) {
			assertThat(shop.query("alice", bomb).code()).isEqualTo("TOO_COMPLEX");
			assertThat(shop.resolvers().calls()).isZero();
			assertThat(shop.query("alice", "{ stock }").remaining()).isEqualTo(999_999);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theRuleAppliesToItsFieldsOnly(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h",
				"ratelimit.rules.graph.graphql=Mutation.order")) {
			assertThat(shop.query("alice", "{ stock }").header("X-RateLimit-Limit")).isEmpty();
			assertThat(shop.query("alice", "mutation { login(name: \"x\") }").allowed()).isTrue();
			assertThat(shop.query("alice", "mutation { order(product: 1) { id } }").allowed()).isTrue();
			assertThat(shop.query("alice", "mutation { login(name: \"x\") order(product: 1) { id } }").code())
				.isEqualTo("RATE_LIMITED");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void plansAreThoseOfTheUser(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=3/h", "ratelimit.plan=authority:PLAN_",
				"ratelimit.rules.graph.plans.bob.limit=9/h", "ratelimit.rules.graph.plans.alice.limit=3/h")) {
			assertThat(shop.query("alice", "{ stock }").remaining()).isEqualTo(2);
			assertThat(shop.query("bob", "{ stock }").remaining()).isEqualTo(8);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void authoritiesThatBypassAllRulesBypassTheseToo(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h", "ratelimit.rules.graph.key=ip",
				"ratelimit.bypass-authorities=PLAN_alice")) {
			for (int i = 0; i < 3; i++) {
				assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			}
			assertThat(shop.query("bob", "{ stock }").allowed()).isTrue();
			assertThat(shop.query("bob", "{ stock }").code()).isEqualTo("RATE_LIMITED");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anAddressThatHeadersForgeIsNotBelieved(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=5/h", "ratelimit.rules.graph.key=ip",
				"server.forward-headers-strategy=framework")) {
			assertThat(shop.query("", "{ stock }", Map.of(), Map.of("X-Forwarded-For", "203.0.113.7")).remaining())
				.isEqualTo(4);
			assertThat(shop.query("", "{ stock }", Map.of(), Map.of("X-Forwarded-For", "203.0.113.8")).remaining())
				.isEqualTo(3);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRuleOfThePathWritesTheHeaderFields(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=2/h", "ratelimit.rules.http.limit=9/h",
				"ratelimit.rules.http.paths=/graphql")) {
			ShopServer.Reply first = shop.query("alice", "{ stock }");
			assertThat(first.response().headers().allValues("X-RateLimit-Limit")).containsExactly("9");
			ShopServer.Reply second = shop.query("alice", "{ a: stock b: stock }");
			assertThat(second.code()).isEqualTo("RATE_LIMITED");
			assertThat(second.response().headers().allValues("X-RateLimit-Limit")).containsExactly("9");
			assertThat(second.response().headers().allValues("Retry-After")).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aLimitedResolverHasTheSameError(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=9/h")) {
			assertThat(shop.query("alice", "{ guarded }").allowed()).isTrue();
			ShopServer.Reply rejected = shop.query("bob", "{ stock guarded }");
			assertThat(rejected.code()).isEqualTo("RATE_LIMITED");
			JsonNode error = rejected.body().path("errors").path(0);
			assertThat(error.path("path").path(0).asString()).isEqualTo("guarded");
			assertThat(error.path("extensions").path("retryAfterSeconds").asLong()).isPositive();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void resolversFindTheDecision(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=1/h",
				"ratelimit.rules.graph.on-excess=degrade")) {
			assertThat(shop.query("alice", "{ degraded }").body().path("data").path("degraded").asBoolean()).isFalse();
			assertThat(shop.query("alice", "{ degraded }").body().path("data").path("degraded").asBoolean()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void messagesOverAWebSocketAreLimitedByTheirUser(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=2/h")) {
			ShopServer.Socket alice = shop.open("alice");
			assertThat(alice.query("1", "subscription { prices }").path("type").asString()).isEqualTo("next");
			assertThat(alice.next().path("payload").path("data").path("prices").asInt()).isEqualTo(2);
			assertThat(alice.next().path("type").asString()).isEqualTo("complete");
			assertThat(shop.query("alice", "{ stock }").remaining()).isZero();
			JsonNode rejected = alice.query("2", "{ stock }");
			assertThat(rejected.toString()).contains("RATE_LIMITED");
			assertThat(shop.open("bob").query("3", "{ stock }").path("type").asString()).isEqualTo("next");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSubscriptionThatItsResolverRejectsHasTheSameError(WebApplicationType stack) {
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=9/h")) {
			ShopServer.Socket alice = shop.open("alice");
			assertThat(alice.query("1", "subscription { news }").path("type").asString()).isEqualTo("next");
			assertThat(alice.next().path("type").asString()).isEqualTo("complete");
			assertThat(alice.query("2", "subscription { news }").toString()).contains("RATE_LIMITED",
					"retryAfterSeconds");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void persistedAndCachedDocumentsAreCharged(WebApplicationType stack) {
		for (Class<?> source : List.of(Cached.class, Persisted.class)) {
			try (ShopServer shop = ShopServer.start(stack, List.of(source), FIELDS, COST,
					"ratelimit.rules.graph.limit=10/h", "ratelimit.rules.graph.key=user")) {
				String query = (source == Cached.class) ? "{ stock }" : PersistedQuerySupport.PERSISTED_QUERY_MARKER;
				assertThat(shop.query("alice", query).remaining()).isEqualTo(9);
				assertThat(shop.query("alice", query).remaining()).isEqualTo(8);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void onRedisResolversRunOnTheApplicationsThreads(WebApplicationType stack) throws Exception {
		int port = freePort();
		RedisServer redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
		redis.start();
		// With the default deadline, the instance may count by itself while other tests
		// keep the machine busy, on other threads.
		try (ShopServer shop = start(stack, "ratelimit.rules.graph.limit=2/h", "ratelimit.store=redis",
				"ratelimit.deadline=10s", "spring.data.redis.port=" + port)) {
			assertThat(shop.query("alice", "{ stock }").remaining()).isEqualTo(1);
			if (stack == WebApplicationType.SERVLET) {
				assertThat(shop.resolvers().thread()).doesNotContain("lettuce");
			}
			assertThat(shop.query("alice", "{ stock }").allowed()).isTrue();
			assertThat(shop.query("alice", "{ stock }").code()).isEqualTo("RATE_LIMITED");
		}
		finally {
			redis.stop();
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static ShopServer start(WebApplicationType stack, String... properties) {
		String[] all = new String[properties.length + 2];
		all[0] = FIELDS;
		all[1] = "ratelimit.rules.graph.key=caller";
		System.arraycopy(properties, 0, all, 2, properties.length);
		return ShopServer.start(stack, List.of(), all);
	}

	@Configuration(proxyBeanMethods = false)
	static class Cached {

		@Bean
		GraphQlSourceBuilderCustomizer cache() {
			Map<String, PreparsedDocumentEntry> entries = new ConcurrentHashMap<>();
			return (source) -> source
				.configureGraphQl((graphQl) -> graphQl.preparsedDocumentProvider((input, parse) -> CompletableFuture
					.completedFuture(entries.computeIfAbsent(input.getQuery(), (query) -> parse.apply(input)))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Persisted {

		@Bean
		GraphQlSourceBuilderCustomizer persisted() {
			InMemoryPersistedQueryCache cache = InMemoryPersistedQueryCache.newInMemoryPersistedQueryCache()
				.addQuery("one", "{ stock }")
				.build();
			return (source) -> source
				.configureGraphQl((graphQl) -> graphQl.preparsedDocumentProvider(new PersistedQuerySupport(cache) {

					@Override
					protected Optional<Object> getPersistedQueryId(ExecutionInput input) {
						return Optional.of("one");
					}

				}));
		}

	}

}
