package dev.ratelimit.web.graphql;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;
import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.UnExecutableSchemaGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.scheduler.NonBlocking;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitGraphQlAutoConfigurationTests {

	private static final AutoConfigurations LIBRARY = AutoConfigurations.of(RateLimitTimeAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
			RateLimitWebFluxAutoConfiguration.class, RateLimitGraphQlAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class);

	private static final String[] RULE = { "ratelimit.store=memory", "ratelimit.rules.graph.graphql=Query.*",
			"ratelimit.rules.graph.limit=5/h" };

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(LIBRARY)
		.withPropertyValues(RULE);

	@Test
	void operationsOfAnySourceAreLimited() {
		this.runner.withUserConfiguration(Source.class).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(ServerWebExchangeContextFilter.class);
			assertThat(context.getBean(GraphQlSource.class).graphQl().getPreparsedDocumentProvider())
				.isInstanceOf(LimitedDocumentProvider.class);
			GraphQL graphQl = context.getBean(GraphQlSource.class).graphQl();
			assertThat(graphQl.execute("{ __typename }").getErrors()).isEmpty();
			for (int i = 0; i < 4; i++) {
				assertThat(graphQl.execute("{ __typename }").getErrors()).isEmpty();
			}
			assertThat(graphQl.execute("{ __typename }").getErrors()).singleElement()
				.satisfies((error) -> assertThat(error.getExtensions()).containsEntry("code", "RATE_LIMITED"));
		});
	}

	@Test
	void operationsThatCannotBeExecutedAreNotCharged() {
		this.runner.withUserConfiguration(Source.class).run((context) -> {
			GraphQL graphQl = context.getBean(GraphQlSource.class).graphQl();
			for (int i = 0; i < 9; i++) {
				assertThat(graphQl.execute("{ nothing }").getErrors()).isNotEmpty();
				assertThat(graphQl.execute("query($n: Int!) { more(n: $n) }").getErrors()).isNotEmpty();
				assertThat(graphQl.execute("query a { stock } query b { stock }").getErrors()).isNotEmpty();
			}
			assertThat(graphQl.execute("{ __typename }").getErrors()).isEmpty();
		});
	}

	@Test
	void anOperationThatTheExecutorRejectsIsNotCharged() {
		AtomicBoolean full = new AtomicBoolean(true);
		LimitStore memory = new MemoryLimitStore(10, System::currentTimeMillis);
		this.runner.withUserConfiguration(Source.class)
			.withBean("applicationTaskExecutor", Executor.class, () -> (task) -> {
				if (full.get()) {
					throw new RejectedExecutionException("full");
				}
				task.run();
			})
			.withBean(LimitStore.class, () -> new LateStore(memory))
			.run((context) -> {
				GraphQL graphQl = context.getBean(GraphQlSource.class).graphQl();
				for (int i = 0; i < 9; i++) {
					assertThatExceptionOfType(RejectedExecutionException.class)
						.isThrownBy(() -> graphQl.execute("{ __typename }"));
				}
				full.set(false);
				assertThat(graphQl.execute("{ __typename }").getErrors()).isEmpty();
			});
	}

	@Test
	void onWebFluxTheExchangeIsInTheContext() {
		new ReactiveWebApplicationContextRunner().withConfiguration(LIBRARY)
			.withPropertyValues(RULE)
			.withUserConfiguration(Source.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ServerWebExchangeContextFilter.class)
				.hasSingleBean(ReactiveOperationCalls.class));
	}

	@Test
	void onWebFluxResolversLeaveTheThreadThatReadsReplies() {
		new ReactiveWebApplicationContextRunner().withConfiguration(LIBRARY)
			.withPropertyValues(RULE)
			.withUserConfiguration(Source.class)
			.run((context) -> {
				Thread resolving = CompletableFuture
					.supplyAsync(Thread::currentThread, context.getBean(OperationCalls.class).executor())
					.join();
				assertThat(resolving).isNotSameAs(Thread.currentThread()).isInstanceOf(NonBlocking.class);
			});
	}

	@Test
	void resolversFindAContextAlsoIfEveryRuleIsOff() {
		this.runner.withUserConfiguration(Source.class)
			.withPropertyValues("ratelimit.rules.graph.mode=off")
			.run((context) -> {
				ExecutionInput input = ExecutionInput.newExecutionInput("{ __typename }").build();
				assertThat(context.getBean(GraphQlSource.class).graphQl().execute(input).getErrors()).isEmpty();
				Object found = input.getGraphQLContext().get(RateLimitContext.ATTRIBUTE);
				assertThat(found).isSameAs(RateLimitContext.NONE);
			});
	}

	@Test
	void aRuleNeedsASchema() {
		this.runner.run((context) -> assertThat(context).getFailure()
			.hasMessage("ratelimit.rules.graph.graphql = '[Query.*]': this application does not serve GraphQL over the"
					+ " web"));
		this.runner.withUserConfiguration(Source.class)
			.withClassLoader(new FilteredClassLoader(GraphQL.class))
			.withPropertyValues("ratelimit.rules.graph.mode=off")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("does not serve GraphQL"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimit.graphql.max-fields=0           | it must be positive
			ratelimit.rules.graph.graphql=stock      | is no root field
			ratelimit.rules.graph.cost=header:X-Cost | the cost of an operation is that of its fields
			ratelimit.rules.graph.key=param:a        | an operation has no such property
			""")
	void badInputIsRejected(String property, String message) {
		this.runner.withUserConfiguration(Source.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void otherRulesHaveNoFields() {
		this.runner.withUserConfiguration(Source.class)
			.withPropertyValues("ratelimit.rules.other.paths=/a", "ratelimit.rules.other.limit=1/h",
					"ratelimit.rules.other.cost=graphql")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("only the operations of rules with 'graphql' have fields"));
	}

	@Test
	void theRuleIsAmongTheOthers() {
		this.runner.withUserConfiguration(Source.class)
			.run((context) -> assertThat(context.getBean(Editions.class).current().compiled()).containsKey("graph"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Source {

		@Bean
		GraphQlSource graphQlSource() {
			return GraphQlSource
				.builder(UnExecutableSchemaGenerator
					.makeUnExecutableSchema(new SchemaParser().parse("type Query { stock: Int! more(n: Int!): Int! }")))
				.build();
		}

	}

	/**
	 * A store whose responses arrive on another thread.
	 */
	private record LateStore(LimitStore memory) implements LimitStore {

		@Override
		public String name() {
			return "late";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return CompletableFuture.supplyAsync(() -> this.memory.acquire(request).join(),
					CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.memory.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

}
