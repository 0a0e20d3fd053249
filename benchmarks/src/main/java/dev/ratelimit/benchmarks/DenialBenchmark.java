package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.RateLimitDecisionEvent;
import dev.ratelimit.RateLimiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Measures rejections in memory in an application, without and with telemetry. These
 * decisions wait for nothing, so that the work after a decision is the largest part of
 * the cost.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@Threads(2)
public class DenialBenchmark {

	private static final String RULE = "bench";

	@Param({ "none", "top", "events", "both" })
	String telemetry = "";

	@Param({ "100", "100000" })
	int keys;

	private final Sink sink = new Sink();

	private String[] names = {};

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	private Predicate<String> limiter = (name) -> true;

	@Setup
	public void start() {
		this.names = Keys.create("user:", this.keys);
		SpringApplicationBuilder application = new SpringApplicationBuilder(OurApplication.Beans.class)
			.web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.properties(properties());
		if (!this.telemetry.equals("none") && !this.telemetry.equals("top")) {
			application.initializers((created) -> ((GenericApplicationContext) created)
				.registerBean(DecisionEventSink.class, () -> this.sink));
		}
		this.context = application.run();
		RateLimiter opened = this.context.getBean(RateLimiter.class);
		this.limiter = (name) -> opened.acquireBlocking(RULE, name).allowed();
	}

	private Map<String, Object> properties() {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("spring.main.banner-mode", "off");
		properties.put("spring.autoconfigure.exclude", String.join(",", OurApplication.othersAutoConfigurations()));
		properties.put("ratelimit.store", "memory");
		properties.put("ratelimit.rules." + RULE + ".programmatic", true);
		properties.put("ratelimit.rules." + RULE + ".limit", "1/d");
		properties.put("ratelimit.telemetry.top", this.telemetry.equals("top") || this.telemetry.equals("both"));
		return properties;
	}

	@TearDown
	public void stop() {
		this.context.close();
	}

	@Benchmark
	public boolean reject(KeyPicker picker) {
		return this.limiter.test(picker.pick(this.names));
	}

	private static final class Sink implements DecisionEventSink {

		private final LongAdder received = new LongAdder();

		@Override
		public void accept(List<RateLimitDecisionEvent> events) {
			this.received.add(events.size());
		}

	}

}
