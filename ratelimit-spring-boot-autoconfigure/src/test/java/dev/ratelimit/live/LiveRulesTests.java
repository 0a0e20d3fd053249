package dev.ratelimit.live;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;
import dev.ratelimit.RulesChangedEvent;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.live.edit.EditRequest;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.Rule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LiveRulesTests {

	private final LiveApplication application = new LiveApplication("search", "100/min", "login", "5/min");

	private final MemoryRuleSource source = new MemoryRuleSource();

	@TempDir
	private Path directory = Path.of("");

	@AfterEach
	void close() throws Exception {
		this.application.close();
	}

	@Test
	void theFirstEditionHasTheLiveRules() {
		this.source.put("rules: {search: {limit: 200/min}}");
		this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(this.application.limit("login")).isEqualTo("5/min");
		assertThat(this.application.editions.current().rules().version()).isEqualTo(1);
	}

	@Test
	void rulesFollowTheSource() throws Exception {
		LiveRules live = this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("100/min");
		this.source.put("rules: {search: {limit: 200/min}, more: {limit: 1/s, paths: /more}}");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(this.application.limit("more")).isEqualTo("1/s");
		this.source.put("rules: {}");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("100/min");
		assertThat(this.application.limit("more")).isEqualTo("none");
		Awaitility.await().until(() -> this.application.events.size() == 2);
		assertThat(this.application.events).containsExactly(
				new RulesChangedEvent("memory", 1, Set.of("search", "more")),
				new RulesChangedEvent("memory", 2, Set.of("search", "more")));
		assertThat(live.adoptions()).isEqualTo(2);
	}

	@Test
	void invalidVersionIsRejectedAndThePreviousStaysActive() throws Exception {
		this.source.put("rules: {search: {limit: 200/min}}");
		LiveRules live = this.application.follow(this.source);
		this.source.put("rules: {search: {limit: soon}}");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(live.status().rejected().orElse("")).contains("memory 2: rules.search.limit", "soon");
		this.source.tell();
		this.application.settle();
		assertThat(live.rejections()).isEqualTo(1);
		this.source.put("rules: {search: {limt: 1/s}}");
		this.application.settle();
		assertThat(live.status().rejected().orElse("")).contains("memory 3: rules.search.limt");
		this.source.put("rules: {search: {limit: 300/min}}");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(live.status().rejected()).isEmpty();
	}

	@Test
	void contentThatIsNoDocumentIsRejected() throws Exception {
		this.source.put("rules: {search: {limit: 200/min}}");
		LiveRules live = this.application.follow(this.source);
		this.source.put("");
		this.application.settle();
		assertThat(live.status().rejected()).hasValue("the text is empty");
		assertThat(this.application.limit("search")).isEqualTo("200/min");
	}

	@Test
	void noInstanceGoesBack() throws Exception {
		this.source.put("rules: {search: {limit: 200/min}}");
		this.source.put("rules: {search: {limit: 300/min}}");
		LiveRules live = this.application.follow(this.source);
		this.source.remove();
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(live.status().trouble()).hasValue("it has no document any more");
		this.source.lose();
		this.source.put("rules: {search: {limit: 1/min}}");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(live.status().rejected()).hasValue("it is older than the active one");
	}

	@Test
	void entriesThatDoNotFitAreReportedAndTheOthersApplied() {
		this.source.put("rules: {search: {limit: 200/min}, gone: {limit: 1/s}}");
		LiveRules live = this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(this.application.limit("gone")).isEqualTo("none");
		assertThat(live.status().notApplied()).singleElement()
			.satisfies((entry) -> assertThat(entry.toString()).startsWith("memory 1: rules.gone: "));
		assertThat(live.status().rejected()).isEmpty();
	}

	@Test
	void aVersionBecomesActiveAtItsTimeByTheClockOfTheSource() throws Exception {
		long offset = 1_000_000_000L;
		TimedSource timed = new TimedSource(offset);
		this.application.follow(timed);
		long due = timed.nowMillis().orElseThrow() + 300;
		timed.put("rules: {search: {limit: 200/min}}", due);
		String limit;
		do {
			limit = this.application.limit("search");
			assertThat(limit).isEqualTo((timed.nowMillis().orElseThrow() < due) ? "100/min" : limit);
			Thread.onSpinWait();
		}
		while (!limit.equals("200/min"));
	}

	@Test
	void aStartWaitsForASourceThatIsSilent() {
		long before = System.nanoTime();
		this.application.follow(new SourceCatcher(), settings(LiveSettings.OnMissing.BASE, Optional.empty()));
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
		assertThat(this.application.limit("search")).isEqualTo("100/min");
	}

	@Test
	void aStartWaitsForASourceThatFailsAtFirst() {
		this.source.fail("timeout");
		Thread later = new Thread(() -> {
			this.source.put("rules: {search: {limit: 200/min}}");
			this.source.recover();
		});
		this.application.thread.later(Duration.ofMillis(100), later::start);
		this.application.follow(this.source,
				new LiveSettings(LiveSettings.OnMissing.FAIL, Optional.empty(), Duration.ofSeconds(20)));
		assertThat(this.application.limit("search")).isEqualTo("200/min");
	}

	@Test
	void aVersionThatWaitsForItsTimeHidesNoLaterRejection() throws Exception {
		TimedSource timed = new TimedSource(0);
		LiveRules live = this.application.follow(timed);
		timed.put("rules: {search: {limit: 200/min}}", timed.nowMillis().orElseThrow() + 300);
		timed.put("rules: [");
		Awaitility.await().until(() -> this.application.limit("search").equals("200/min"));
		this.application.settle();
		assertThat(live.status().rejected()).isPresent();
	}

	@Test
	void aStartMayRequireTheSource() {
		this.source.fail("timeout");
		assertThatExceptionOfType(RuleSourceException.class)
			.isThrownBy(
					() -> this.application.follow(this.source, settings(LiveSettings.OnMissing.FAIL, Optional.empty())))
			.withMessage("The rules could not be read from memory: timeout");
	}

	@Test
	void theCacheFileIsReadWhileTheSourceIsUnavailable() throws Exception {
		Path file = this.directory.resolve("rules.json");
		this.source.put("rules: {search: {limit: 200/min}}");
		this.application.follow(this.source, patient(Optional.of(file)));
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		assertThat(Files.list(this.directory)).hasSize(1);
		MemoryRuleSource unavailable = new MemoryRuleSource();
		unavailable.fail("timeout");
		try (LiveApplication other = new LiveApplication("search", "100/min")) {
			other.follow(unavailable, settings(LiveSettings.OnMissing.CACHE, Optional.of(file)));
			assertThat(other.limit("search")).isEqualTo("200/min");
		}
	}

	@Test
	void theCacheFileKeepsRevisionsSoThatNoEditIsLost() throws Exception {
		LiveSettings settings = settings(LiveSettings.OnMissing.CACHE,
				Optional.of(this.directory.resolve("rules.json")));
		this.application.follow(this.source, patient(settings.cacheFile()));
		RuleEditor editor = new RuleEditor(Optional.of(this.source), this.application.rules, (event) -> {
		}, List::of);
		editor.write("search", "limit: 200/min", new EditRequest(0, "bob", "a \"note\"", false));
		this.application.settle();
		RuleRevision written = this.source.newest().orElseThrow().revisions().get("search");
		MemoryRuleSource lost = new MemoryRuleSource();
		try (LiveApplication other = new LiveApplication("search", "100/min")) {
			other.follow(lost, patient(settings.cacheFile()));
			assertThat(lost.remembered().orElseThrow().revisions()).containsExactly(Map.entry("search", written));
		}
	}

	@Test
	void theVersionsOfAReadOnlySourceMayGoBack() throws Exception {
		LiveSettings settings = settings(LiveSettings.OnMissing.CACHE,
				Optional.of(this.directory.resolve("rules.json")));
		this.source.put("rules: {search: {limit: 200/min}}");
		this.source.put("rules: {search: {limit: 300/min}}");
		this.application.follow(new ReadOnlySource(this.source), patient(settings.cacheFile()));
		MemoryRuleSource file = new MemoryRuleSource();
		file.fail("timeout");
		try (LiveApplication other = new LiveApplication("search", "100/min")) {
			LiveRules live = other.follow(new ReadOnlySource(file), settings);
			assertThat(other.limit("search")).isEqualTo("300/min");
			file.put("rules: {search: {limit: 400/min}}");
			file.recover();
			other.settle();
			assertThat(other.limit("search")).isEqualTo("400/min");
			assertThat(live.status().version()).isEqualTo(1);
			assertThat(live.status().rejected()).isEmpty();
		}
	}

	@Test
	void theCacheFileKeepsSwitchesThroughARestart() throws Exception {
		Path file = this.directory.resolve("rules.json");
		LiveSettings settings = settings(LiveSettings.OnMissing.CACHE, Optional.of(file));
		this.source.put("rules: {search: {limit: 200/min}}");
		LiveRules live = this.application.follow(this.source, patient(settings.cacheFile()));
		try (Switches switches = switches(this.application)) {
			live.keep(switches);
			switches.set(new SwitchRequest(Optional.of("search"), RuleMode.OFF, Duration.ofHours(1), "alice",
					"a \"note\"", false));
		}
		MemoryRuleSource unavailable = new MemoryRuleSource();
		unavailable.fail("timeout");
		try (LiveApplication other = new LiveApplication("search", "100/min", "login", "5/min");
				Switches switches = switches(other)) {
			other.follow(unavailable, settings).keep(switches);
			assertThat(other.limit("search")).isEqualTo("200/min");
			assertThat(switches.active()).singleElement()
				.satisfies((one) -> assertThat(one.change().note()).isEqualTo("a \"note\""));
			assertThat(other.editions.current().rules().rules().get("search").reaction().mode())
				.isEqualTo(RuleMode.OFF);
			switches.end(Optional.of("search"), false);
		}
		assertThat(Files.readString(file)).contains("200/min", "\"switches\":[]");
	}

	private static Switches switches(LiveApplication application) {
		return new Switches(new InstanceSwitches(InstantSource.system()), false, application.editions,
				application.thread);
	}

	@Test
	void aCacheFileThatCannotBeReadIsNoReasonNotToStart() throws Exception {
		Path file = this.directory.resolve("rules.json");
		Files.writeString(file, "rules: {search: {limit: &a 1/s}}");
		this.source.fail("timeout");
		this.application.follow(this.source, settings(LiveSettings.OnMissing.CACHE, Optional.of(file)));
		assertThat(this.application.limit("search")).isEqualTo("100/min");
	}

	@Test
	void ifTheNewestIsRejectedAStartTakesAFormerOne() {
		this.source.put("rules: {search: {limit: 200/min}}");
		this.source.put("rules: {search: {limit: soon}}");
		LiveRules live = this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(live.status().version()).isEqualTo(1);
		assertThat(live.status().rejected().orElseThrow()).contains("soon");
		assertThat(this.source.remembered().orElseThrow().version()).as("to be given back if the source loses all")
			.isEqualTo(1);
	}

	@Test
	void aListenerThatThrowsChangesNothing() throws Exception {
		this.application.listener = (event) -> {
			throw new IllegalStateException("on purpose");
		};
		this.source.put("rules: {search: {limit: 200/min}}");
		LiveRules live = this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		this.source.put("rules: {search: {limit: 300/min}}");
		this.source.put("rules: {search: {limit: 400/min}}");
		Awaitility.await().until(() -> this.application.limit("search").equals("400/min"));
		Awaitility.await().until(() -> live.listenerTrouble().isPresent());
		assertThat(live.listenerTrouble().orElseThrow()).contains("IllegalStateException: on purpose");
		assertThat(live.status().trouble()).isEmpty();
		assertThat(live.status().rejected()).isEmpty();
		assertThat(new LiveRulesCheck(live).findings()).extracting(Finding::code)
			.containsExactly(FindingCode.FAILING_LISTENER);
	}

	@Test
	void aSourceThatIsSilentIsAFindingAndDegradesTheHealth() throws Exception {
		this.source.put("rules: {search: {limit: 200/min}}");
		LiveRules live = this.application.follow(this.source);
		LiveHealth health = new LiveHealth(Optional.of(live), new Switches(new InstanceSwitches(InstantSource.system()),
				true, this.application.editions, this.application.thread));
		this.application.laterNanos = Duration.ofSeconds(20).toNanos();
		assertThat(silence(live)).isEmpty();
		this.source.fail("the file does not exist");
		this.application.settle();
		this.application.laterNanos = Duration.ofSeconds(40).toNanos();
		assertThat(live.status().sourceAgeMillis()).isBetween(40_000L, 100_000L);
		assertThat(silence(live)).singleElement()
			.satisfies((finding) -> assertThat(finding.detail()).contains("the file does not exist"));
		Health.Builder described = Health.up();
		assertThat(health.describe(described)).hasValue("Live rules are not up to date");
		assertThat(described.build().getDetails()).hasEntrySatisfying("rulesSource",
				(text) -> assertThat(text).asString().endsWith("the file does not exist"));
		this.source.recover();
		this.application.settle();
		assertThat(silence(live)).isEmpty();
	}

	/**
	 * Without findings about listeners, since one that is called while the clock jumps
	 * seems to be late.
	 */
	private static List<Finding> silence(LiveRules live) {
		return new LiveRulesCheck(live).findings()
			.stream()
			.filter((finding) -> finding.code() == FindingCode.SILENT_SOURCE)
			.toList();
	}

	@Test
	void theRulesOfTheApplicationReplaceNoDocument() {
		this.application.rules.adoptBaseIfNone();
		assertThat(this.application.limit("search")).isEqualTo("100/min");
		this.source.put("rules: {search: {limit: 200/min}}");
		this.application.follow(this.source);
		// As if the document had become active when the wait of the start ended.
		this.application.rules.adoptBaseIfNone();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
	}

	@Test
	void aListenerThatNeverReturnsHoldsNothingUp() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.application.listener = (event) -> {
			this.application.events.add(event);
			awaitUninterrupted(end);
		};
		this.source.put("rules: {search: {limit: 200/min}}");
		this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		for (int i = 0; i < 200; i++) {
			this.source.put("rules: {search: {limit: " + (300 + i) + "/min}}");
		}
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("499/min");
		Awaitility.await().until(() -> this.application.events.size() == 1);
		end.countDown();
		Awaitility.await()
			.until(() -> this.application.events.get(this.application.events.size() - 1).version() == 201);
	}

	@Test
	void aListenerMayChangeTheRulesAgain() throws Exception {
		RuleEditor editor = new RuleEditor(Optional.of(this.source), this.application.rules, (event) -> {
		}, List::of);
		this.application.listener = (event) -> {
			if (event.version() == 1) {
				editor.write("login", "limit: 7/min", new EditRequest(1, "alice", "", false));
			}
			this.application.events.add(event);
		};
		this.application.follow(this.source);
		this.source.put("rules: {search: {limit: 200/min}}");
		Awaitility.await().until(() -> this.application.limit("login").equals("7/min"));
		Awaitility.await().until(() -> this.application.events.size() == 2);
	}

	private static void awaitUninterrupted(CountDownLatch end) {
		boolean interrupted = false;
		while (end.getCount() > 0) {
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void itCanStopAndStartAgain() throws Exception {
		LiveRules live = this.application.follow(this.source);
		live.stop();
		this.application.thread.close();
		assertThat(this.source.isStarted()).isFalse();
		this.source.put("rules: {search: {limit: 200/min}}");
		assertThat(this.application.limit("search")).isEqualTo("100/min");
		live.start();
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
	}

	@Test
	void overridesWhoseBaseHasChangedAreReported() throws Exception {
		RuleEditor editor = new RuleEditor(Optional.of(this.source), this.application.rules, (event) -> {
		}, List::of);
		LiveRules live = this.application.follow(this.source);
		editor.write("search", "limit: 200/min", new EditRequest(0, "alice", "", false));
		this.application.settle();
		assertThat(live.status().changedBase()).isEmpty();
		this.application.rules.rebase((layers) -> LiveApplication.layers("search", "500/min", "login", "5/min"));
		assertThat(live.status().changedBase())
			.containsExactly("version 1 (alice) replaced search.limit 100/min by 200/min; this build says 500/min");
	}

	@Test
	void noReaderSeesTwoVersionsUnderLoad() throws Exception {
		this.source.put("rules: {search: {limit: 1/min}, login: {limit: 1/min}}");
		this.application.follow(this.source);
		AtomicBoolean ended = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(2);
		CountDownLatch reading = new CountDownLatch(2);
		List<Future<Set<String>>> readers = List.of(threads.submit(() -> seen(reading, ended)),
				threads.submit(() -> seen(reading, ended)));
		reading.await();
		for (int i = 2; i < 200; i++) {
			this.source.put("rules: {search: {limit: %1$d/min}, login: {limit: %1$d/min}}".formatted(i));
			this.application.settle();
		}
		ended.set(true);
		for (Future<Set<String>> reader : readers) {
			assertThat(reader.get()).hasSizeGreaterThan(1).allMatch((limits) -> {
				String[] both = limits.split(" ");
				return both[0].equals(both[1]);
			});
		}
		threads.shutdownNow();
		assertThat(this.application.limit("login")).isEqualTo("199/min");
	}

	private Set<String> seen(CountDownLatch reading, AtomicBoolean ended) {
		Set<String> seen = new HashSet<>();
		boolean last;
		do {
			last = ended.get();
			Map<String, Rule> rules = this.application.editions.current().rules().rules();
			if (seen.add(rules.get("search").limits().get(0) + " " + rules.get("login").limits().get(0))
					&& seen.size() == 1) {
				reading.countDown();
			}
		}
		while (!last);
		return seen;
	}

	/** The settings if the source responds, which may take long on a busy machine. */
	private static LiveSettings patient(Optional<Path> cache) {
		return new LiveSettings(LiveSettings.OnMissing.CACHE, cache, Duration.ofMinutes(1));
	}

	private static LiveSettings settings(LiveSettings.OnMissing onMissing, Optional<Path> cache) {
		return new LiveSettings(onMissing, cache, Duration.ofMillis(200));
	}

	/**
	 * A source whose clock has an offset.
	 */
	private static final class TimedSource extends MemoryRuleSource {

		private final long offset;

		TimedSource(long offset) {
			this.offset = offset;
		}

		@Override
		public OptionalLong nowMillis() {
			return OptionalLong.of(System.currentTimeMillis() + this.offset);
		}

	}

	/**
	 * A source that never publishes by itself.
	 */
	private static final class SourceCatcher implements RuleSource {

		private Optional<Consumer<? super RuleSource.Reading>> receiver = Optional.empty();

		@Override
		public String name() {
			return "silent";
		}

		@Override
		public void start(Consumer<? super RuleSource.Reading> next) {
			this.receiver = Optional.of(next);
		}

		@Override
		public void close() {
			this.receiver = Optional.empty();
		}

	}

	/**
	 * A read-only source.
	 */
	private record ReadOnlySource(MemoryRuleSource file) implements RuleSource {

		@Override
		public String name() {
			return "file";
		}

		@Override
		public void start(Consumer<? super RuleSource.Reading> receiver) {
			this.file.start(receiver);
		}

		@Override
		public void close() {
			this.file.close();
		}

	}

}
