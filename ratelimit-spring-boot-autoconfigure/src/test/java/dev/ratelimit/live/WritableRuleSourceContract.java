package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every {@link WritableRuleSource}.
 */
public abstract class WritableRuleSourceContract extends RuleSourceContract {

	private static final RuleChange CHANGE = new RuleChange("a", "limit", Optional.empty(), Optional.of("1/s"));

	@Override
	protected abstract WritableRuleSource source();

	@Test
	void nothingIsThereBeforeTheFirstEdit() {
		assertThat(source().newest()).isEmpty();
		assertThat(source().history(10)).isEmpty();
		assertThat(source().version(1)).isEmpty();
	}

	@Test
	void anEditIsReadBackWithItsRevision() {
		long version = written(edit(0, Map.of("a", Map.of("limit", "1/s")), "alice"));
		RuleDocument newest = source().newest().orElseThrow();
		assertThat(newest.version()).isEqualTo(version);
		assertThat(newest.rules()).isEqualTo(Map.of("a", Map.of("limit", "1/s")));
		RuleRevision revision = newest.revisions().get("a");
		assertThat(revision.version()).isEqualTo(version);
		assertThat(revision.user()).isEqualTo("alice");
		assertThat(revision.note()).isEqualTo("because");
	}

	@Test
	void onlyChangedEntriesGetARevision() {
		long first = written(edit(0, Map.of("a", Map.of("limit", "1/s")), "alice"));
		written(edit(first, Map.of("a", Map.of("limit", "1/s"), "b", Map.of("limit", "1/s")), "bob"));
		Map<String, RuleRevision> revisions = source().newest().orElseThrow().revisions();
		assertThat(revisions.get("a").user()).isEqualTo("alice");
		assertThat(revisions.get("b").user()).isEqualTo("bob");
	}

	@Test
	void anEditOfAnOlderHeadChangesNothing() {
		long first = written(edit(0, Map.of("a", Map.of("limit", "1/s")), "alice"));
		assertThat(source().write(edit(0, Map.of("a", Map.of("limit", "9/s")), "bob")))
			.isEqualTo(new WriteResult.Outdated(first));
		assertThat(source().newest().orElseThrow().rules()).isEqualTo(Map.of("a", Map.of("limit", "1/s")));
		assertThat(source().history(10)).hasSize(1);
	}

	@Test
	void formerVersionsAreKeptWithWhatChanged() {
		long first = written(edit(0, Map.of("a", Map.of("limit", "1/s")), "alice"));
		long second = written(edit(first, Map.of(), "bob"));
		List<RuleVersion> history = source().history(10);
		assertThat(history).extracting(RuleVersion::version).containsExactly(second, first);
		assertThat(history).extracting(RuleVersion::user).containsExactly("bob", "alice");
		assertThat(history.get(1).changes()).containsExactly(CHANGE);
		assertThat(source().history(1)).hasSize(1);
		assertThat(source().version(first).orElseThrow().rules()).containsOnlyKeys("a");
		assertThat(source().version(second + 1)).isEmpty();
	}

	@Test
	void twoWritersNeverLoseAnEdit() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Callable<Integer>> writers = List.of(() -> writeMany("a"), () -> writeMany("b"));
			for (Future<Integer> writer : threads.invokeAll(writers, 60, TimeUnit.SECONDS)) {
				assertThat(writer.get()).isEqualTo(20);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(source().newest().orElseThrow().rules()).hasSize(40);
	}

	// A source that does not respond in time may still have written. The next reading
	// shows the result.
	private int writeMany(String name) {
		int written = 0;
		int failures = 0;
		while (written < 20) {
			try {
				written += isWritten(name, name + written) ? 1 : 0;
			}
			catch (RuleSourceException ex) {
				failures++;
				if (failures > 20) {
					throw ex;
				}
			}
		}
		return written;
	}

	private boolean isWritten(String user, String id) {
		Optional<RuleDocument> newest = source().newest();
		Map<String, Object> next = new LinkedHashMap<>(newest.map(RuleDocument::rules).orElse(Map.of()));
		return next.put(id, Map.of("limit", "1/s")) != null || source()
			.write(edit(newest.map(RuleDocument::version).orElse(0L), next, user)) instanceof WriteResult.Written;
	}

	@Test
	void theListenerIsToldOfEdits() throws Exception {
		source().start(this.log);
		this.log.await("absent");
		long version = written(edit(0, Map.of("a", Map.of("limit", "1/s")), "alice"));
		assertThat(this.log.document().version()).isEqualTo(version);
	}

	private long written(RuleEdit edit) {
		return ((WriteResult.Written) source().write(edit)).version();
	}

	private static RuleEdit edit(long head, Map<String, Object> rules, String user) {
		return new RuleEdit(head, rules, Map.of(), user, "because", new ArrayList<>(List.of(CHANGE)));
	}

}
