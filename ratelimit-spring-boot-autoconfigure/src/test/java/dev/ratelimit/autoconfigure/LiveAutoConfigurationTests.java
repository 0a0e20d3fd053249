package dev.ratelimit.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.FileRuleSource;
import dev.ratelimit.live.LiveLifecycle;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.LiveThread;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.Switches;
import dev.ratelimit.test.StartedThreads;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LiveAutoConfigurationTests {

	private static final List<String> NO_SECURITY = List.of(
			"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration");

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withUserConfiguration(EnableAuto.class)
		.withPropertyValues("ratelimit.rules.search.limit=100/min", "ratelimit.rules.search.paths=/search");

	@TempDir
	private Path directory = Path.of("");

	@Test
	void withoutASourceThereIsNothing() {
		StartedThreads threads = new StartedThreads("ratelimit-live");
		this.runner.withClassLoader(new FilteredClassLoader(EnvironmentChangeEvent.class)).run((context) -> {
			assertThat(context).doesNotHaveBean(LiveRules.class)
				.doesNotHaveBean(EffectiveRules.class)
				.doesNotHaveBean(LiveThread.class)
				.doesNotHaveBean(Switches.class)
				.doesNotHaveBean(RateLimitLiveEndpoint.class)
				.doesNotHaveBean(RuleSource.class)
				.doesNotHaveBean(LiveLifecycle.class);
			assertThat(threads.get()).isEmpty();
		});
	}

	@Test
	void theExposedEndpointHasSwitchesButStartsNoThread() {
		StartedThreads threads = new StartedThreads("ratelimit-live");
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=ratelimitlive").run((context) -> {
			assertThat(context).hasSingleBean(RateLimitLiveEndpoint.class)
				.hasSingleBean(Switches.class)
				.doesNotHaveBean(LiveRules.class);
			assertThat(threads.get()).isEmpty();
		});
	}

	@Test
	void aFileIsFollowed() throws Exception {
		Path file = this.directory.resolve("rules.yml");
		Files.writeString(file, "rules: {search: {limit: 200/min}}");
		this.runner.withPropertyValues("ratelimit.live.source=file", "ratelimit.live.file=" + file).run((context) -> {
			assertThat(context).hasSingleBean(FileRuleSource.class);
			Awaitility.await().until(() -> limit(context).equals("200/min"));
			Files.writeString(file, "rules: {search: {limit: 300/min, burst: 5}}");
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.untilAsserted(() -> assertThat(limit(context)).isEqualTo("300/min"));
		});
	}

	@Test
	void filesOfOtherTimesWithEqualContentHaveOneDigest() throws Exception {
		List<Long> digests = new ArrayList<>();
		for (String text : List.of("rules: {search: {limit: 200/min}}", "rules:\n  search:\n    limit: 200/min",
				"rules: {search: {limit: 201/min}}")) {
			Path file = this.directory.resolve("rules.yml");
			Files.writeString(file, text);
			Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + 5000L * digests.size()));
			this.runner.withPropertyValues("ratelimit.live.source=file", "ratelimit.live.file=" + file)
				.run((context) -> {
					Awaitility.await().until(() -> limit(context).startsWith("20"));
					digests.add(context.getBean(LiveRules.class).shortDigest());
				});
		}
		assertThat(digests.get(0)).isPositive().isEqualTo(digests.get(1)).isNotEqualTo(digests.get(2));
	}

	@Test
	void aFileThatDoesNotExistFailsTheStartIfItMust() {
		this.runner
			.withPropertyValues("ratelimit.live.source=file",
					"ratelimit.live.file=" + this.directory.resolve("rules.yaml"), "ratelimit.live.on-missing=fail")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("the file does not exist"));
	}

	@Test
	void aFileThatDoesNotExistIsReported(CapturedOutput output) {
		Path file = this.directory.resolve("rules.yaml");
		this.runner.withPropertyValues("ratelimit.live.source=file", "ratelimit.live.file=" + file).run((context) -> {
			assertThat(limit(context)).isEqualTo("100/min");
			assertThat(output).contains("The rules could not be read from file")
				.contains("the file does not exist; starting with the rules of the application");
			assertThat(context.getBean(LiveRules.class).status().trouble()).hasValue("the file does not exist");
			Files.writeString(file, "rules: {search: {limit: 300/min}}");
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.untilAsserted(() -> assertThat(limit(context)).isEqualTo("300/min"));
		});
	}

	@Test
	void aBeanIsASource() {
		MemoryRuleSource source = new MemoryRuleSource();
		source.put("rules: {search: {limit: 200/min}}");
		this.runner.withBean(MemoryRuleSource.class, () -> source)
			.run((context) -> assertThat(limit(context)).isEqualTo("200/min"));
	}

	@Test
	void aMissingSourceFailsTheStart() {
		this.runner.withPropertyValues("ratelimit.live.source=redis")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("'ratelimit.live.source' is 'redis'"));
		this.runner.withPropertyValues("ratelimit.live.source=etcd").run((context) -> assertThat(context).hasFailed());
		this.runner.withPropertyValues("ratelimit.live.source=file")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'ratelimit.live.file' is not set"));
	}

	@Test
	void anUnavailableSourceFailsTheStartIfItMust() {
		MemoryRuleSource source = new MemoryRuleSource();
		source.fail("timeout");
		this.runner.withBean(MemoryRuleSource.class, () -> source)
			.withPropertyValues("ratelimit.live.on-missing=fail")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("The rules could not be read from memory: timeout"));
	}

	@Test
	void withoutSpringSecurityWritesMustBeAllowed(CapturedOutput output) {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=ratelimitlive",
				"ratelimit.live.anonymous-writes=true", "spring.autoconfigure.exclude=" + String.join(",", NO_SECURITY))
			.run((context) -> assertThat(output).contains("'ratelimit.live.anonymous-writes' is 'true'"));
	}

	@Test
	void refreshedPropertiesAreAdoptedAndOthersReported(CapturedOutput output) {
		this.runner.run((context) -> {
			set(context, Map.of("ratelimit.rules.search.limit", "200/min", "ratelimit.deadline", "60ms"));
			context.publishEvent(new EnvironmentChangeEvent(Set.of("ratelimit.rules.search.limit")));
			assertThat(limit(context)).isEqualTo("200/min");
			assertThat(output).contains("'ratelimit.deadline' changed; restart to apply it");
			set(context, Map.of("ratelimit.rules.search.limit", "soon"));
			context.publishEvent(new EnvironmentChangeEvent(Set.of("ratelimit.rules.search.limit")));
			assertThat(limit(context)).isEqualTo("200/min");
			assertThat(output).contains("The changed properties were rejected");
		});
	}

	private static void set(ApplicationContext context, Map<String, Object> properties) {
		((ConfigurableApplicationContext) context).getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("refreshed", properties));
	}

	private static String limit(ApplicationContext context) {
		return context.getBean(Editions.class).current().rules().rules().get("search").limits().get(0).toString();
	}

}
