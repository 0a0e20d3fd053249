package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.RateLimitDecisionEvent;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.autoconfigure.EnableAuto;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.test.StartedThreads;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RateLimitTelemetryAutoConfigurationTests {

	private static final String TOP = "ratelimit.telemetry.top=true";

	private static final String PLAIN = "ratelimit.telemetry.subjects=plain";

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues("ratelimit.rules.search.limit=1/h", "ratelimit.rules.search.programmatic=true",
				"ratelimit.deadline=5s", "spring.application.name=orders");

	private final BlockingQueue<RateLimitDecisionEvent> received = new LinkedBlockingQueue<>();

	/** The threads of other tests. */
	private final StartedThreads eventThreads = new StartedThreads("ratelimit-events");

	private static String[] at(TestRedis redis) {
		return new String[] { "ratelimit.redis.host=" + redis.host(), "ratelimit.redis.port=" + redis.port() };
	}

	private static void reject(ApplicationContext context, String subject, int times) {
		for (int i = 0; i <= times; i++) {
			context.getBean(RateLimiter.class).acquireBlocking("search", subject);
		}
	}

	private static Object top(ApplicationContext context, String subject) throws Exception {
		context.getBean(RejectedSubjects.class).flush().join();
		Map<String, String> values = (subject.isEmpty()) ? Map.of("rule", "search")
				: Map.of("rule", "search", "subject", subject);
		return new LiveTopResource(context.getBean(TopSubjects.class), ClientAddresses.OF_PEER)
			.read(new LiveRequest(List.of(), values, Optional.empty(), RulePermit.ALL))
			.orElseThrow();
	}

	private static Object described(String subject, long atLeast) {
		return Map.of("missed", 0L, "rules", Map.of("search", List.of(Map.of("subject", subject, "atLeast", atLeast))));
	}

	@Test
	void offThereIsNothingOfIt(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).run((context) -> {
			reject(context, "user:1", 3);
			assertThat(context).doesNotHaveBean(RejectedSubjects.class)
				.doesNotHaveBean(DecisionEvents.class)
				.doesNotHaveBean(TopSubjects.class)
				.doesNotHaveBean(TopStore.class)
				.doesNotHaveBean(SubjectNaming.class)
				.doesNotHaveBean(RejectedSubjectsUpkeep.class)
				.doesNotHaveBean(EventPump.class)
				.doesNotHaveBean(DecisionEventMetrics.class);
			assertThat(this.eventThreads.get()).isEmpty();
			assertThat(redis.command("KEYS", "*{top}*")).isEmpty();
		});
	}

	@Test
	void topOfThisInstanceInMemory() {
		this.runner.withPropertyValues(TOP, PLAIN).run((context) -> {
			reject(context, "user:1", 3);
			assertThat(top(context, "")).isEqualTo(described("user:1", 3));
			assertThat(this.eventThreads.get()).isEmpty();
		});
	}

	@Test
	void rejectionsAreCountedUnderLazyInitialization() {
		this.runner.withPropertyValues(TOP)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("rateLimitRejectedSubjectsUpkeep"))
				.isTrue());
	}

	@Test
	void topNeedsNoLettuce() {
		this.runner.withClassLoader(new FilteredClassLoader("io.lettuce"))
			.withPropertyValues(TOP, PLAIN)
			.run((context) -> {
				reject(context, "user:1", 2);
				assertThat(top(context, "")).isEqualTo(described("user:1", 2));
			});
	}

	@Test
	void topOfAllInstancesInRedis(TestRedis redis) {
		ApplicationContextRunner inRedis = this.runner.withPropertyValues(at(redis)).withPropertyValues(TOP);
		inRedis.run((first) -> inRedis.run((second) -> {
			reject(first, "user:1", 3);
			reject(second, "user:1", 1);
			first.getBean(RejectedSubjects.class).flush().join();
			Object found = top(second, "user:1");
			assertThat(found.toString())
				.matches("\\{missed=0, rules=\\{search=\\[\\{subject=user:~#[0-9a-f]{16}, atLeast=5}]}}");
			assertThat(top(first, "user:1")).isEqualTo(found);
			assertThat(top(first, "")).isEqualTo(found);
			assertThat(redis.command("KEYS", "*{top}*")).contains("rl:orders:{top}:key");
		}));
	}

	@Test
	void secretMakesTheNamesAndNeedsNoKeyInRedis(TestRedis redis) {
		ApplicationContextRunner inRedis = this.runner.withPropertyValues(at(redis))
			.withPropertyValues(TOP, "ratelimit.secret=correct horse");
		inRedis.run((context) -> {
			reject(context, "user:1", 1);
			assertThat(top(context, "user:1").toString()).contains("user:~#", "atLeast=1");
			assertThat(redis.command("KEYS", "*{top}*")).doesNotContain("{top}:key");
		});
	}

	@Test
	void lastWindowIsAddedWhenTheApplicationStops(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).withPropertyValues(TOP, PLAIN).run((context) -> {
			reject(context, "user:1", 3);
			// The last window has a short time, so that Redis has to know the script.
			top(context, "");
			reject(context, "user:1", 1);
		});
		this.runner.withPropertyValues(at(redis))
			.withPropertyValues(TOP, PLAIN)
			.run((context) -> Awaitility.await()
				.untilAsserted(() -> assertThat(top(context, "")).isEqualTo(described("user:1", 5))));
	}

	@Test
	void sinksReceiveRejections() {
		this.runner.withBean(DecisionEventSink.class, () -> this.received::addAll).run((context) -> {
			reject(context, "user:1", 1);
			RateLimitDecisionEvent event = this.received.poll(10, TimeUnit.SECONDS);
			assertThat(event).isNotNull();
			assertThat(event.allowed()).isFalse();
			assertThat(event.instance()).isNotBlank();
			assertThat(event.parts().get(0).subject())
				.hasValueSatisfying((name) -> assertThat(name).matches("user:~#[0-9a-f]{16}"));
			assertThat(context).doesNotHaveBean(TopSubjects.class);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			Awaitility.await().until(() -> meters.get("ratelimit.events.sent").functionCounter().count() == 1);
			assertThat(meters.get("ratelimit.events.dropped").functionCounters()).hasSize(3)
				.allSatisfy((counter) -> assertThat(counter.count()).isZero());
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.eventThreads.get()).isEmpty());
	}

	@Test
	void ratiosAndRateAreThoseOfTheProperties() {
		this.runner.withBean(DecisionEventSink.class, () -> this.received::addAll)
			.withPropertyValues("ratelimit.events.allowed=1", "ratelimit.events.rejected=0", PLAIN)
			.run((context) -> {
				reject(context, "user:1", 5);
				RateLimitDecisionEvent event = this.received.poll(10, TimeUnit.SECONDS);
				assertThat(event).isNotNull();
				assertThat(event.allowed()).isTrue();
				assertThat(event.parts().get(0).subject()).contains("user:1");
			});
		assertThat(this.received).isEmpty();
	}

	@Test
	void sinksOfInstancesAgreeOnTheNames(TestRedis redis) {
		BlockingQueue<RateLimitDecisionEvent> others = new LinkedBlockingQueue<>();
		ApplicationContextRunner inRedis = this.runner.withPropertyValues(at(redis));
		inRedis.withBean(DecisionEventSink.class, () -> this.received::addAll)
			.run((first) -> inRedis.withBean(DecisionEventSink.class, () -> others::addAll).run((second) -> {
				// An agreement that takes longer than a second is not used.
				first.getBean(SubjectNaming.class).agreed().join();
				second.getBean(SubjectNaming.class).agreed().join();
				reject(first, "user:1", 1);
				reject(second, "user:1", 0);
				List<RateLimitDecisionEvent> both = new ArrayList<>();
				both.add(this.received.poll(10, TimeUnit.SECONDS));
				both.add(others.poll(10, TimeUnit.SECONDS));
				assertThat(both).doesNotContainNull();
				assertThat(both.get(0).parts().get(0).subject()).isEqualTo(both.get(1).parts().get(0).subject());
				assertThat(both.get(0).instance()).isNotEqualTo(both.get(1).instance());
			}));
	}

}
