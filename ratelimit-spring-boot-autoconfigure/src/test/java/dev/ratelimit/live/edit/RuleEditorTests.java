package dev.ratelimit.live.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.live.LiveApplication;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.rule.InvalidRuleException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RuleEditorTests {

	private final LiveApplication application = new LiveApplication("search", "100/min", "login", "5/min");

	private final MemoryRuleSource source = new MemoryRuleSource();

	private final List<String> told = new ArrayList<>();

	private final RuleEditor editor = editor(this.source);

	private RuleEditor editor(RuleSource of) {
		return new RuleEditor(Optional.of(of), this.application.rules, (event) -> {
			UserEdit edit = (UserEdit) event;
			this.told.add(edit.user() + " " + edit.subject() + " " + edit.note() + " " + edit.changes());
		}, () -> List.of("2 builds"));
	}

	@AfterEach
	void close() throws Exception {
		this.application.close();
	}

	@Test
	void anEditIsWrittenWithWhatItChanges() throws Exception {
		this.application.follow(this.source);
		EditResult result = this.editor.write("search", "limit: 200/min", request(0, "alice"));
		assertThat(result.version()).hasValue(1);
		assertThat(result.changes())
			.containsExactly(new RuleChange("search", "limit", Optional.of("100/min"), Optional.of("200/min")));
		assertThat(result.warnings()).containsExactly("2 builds");
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		RuleDocument written = this.source.newest().orElseThrow();
		assertThat(written.revisions().get("search").replaced()).isEqualTo(Map.of("limit", "100/min"));
		assertThat(this.told).containsExactly("alice version 1 why [search.limit 100/min -> 200/min]");
	}

	@Test
	void aRuleThatSomebodyElseChangedSinceIsAConflict() {
		this.application.follow(this.source);
		this.editor.write("search", "limit: 200/min", request(0, "alice"));
		this.editor.write("search", "limit: 300/min", request(1, "bob"));
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> this.editor.write("search", "limit: 400/min", request(1, "carol")))
			.withMessage("rule 'search' was changed by bob in version 2; you read version 1");
		EditResult other = this.editor.write("login", "limit: 6/min", request(1, "carol"));
		assertThat(other.version()).hasValue(3);
		assertThat(this.source.newest().orElseThrow().rules()).containsOnlyKeys("search", "login");
	}

	// The revision of a removed entry is kept for 50 versions.
	@Test
	void anEntryThatMayHaveBeenRemovedSinceIsNotWritten() {
		for (int i = 0; i < 60; i++) {
			this.source.put("rules: {login: {limit: " + (i + 1) + "/min}}");
		}
		for (long version : List.of(0L, 9L)) {
			assertThatExceptionOfType(EditConflictException.class)
				.isThrownBy(() -> this.editor.write("search", "limit: 400/min", request(version, "carol")))
				.withMessage("it is unknown whether rule 'search' was changed since version " + version
						+ ", as the newest is 60; read the rule again");
		}
		assertThat(this.source.newest().orElseThrow().version()).isEqualTo(60);
		assertThat(this.editor.write("search", "limit: 400/min", request(10, "carol")).version()).hasValue(61);
		assertThat(this.editor.remove("search", request(61, "carol")).orElseThrow().version()).hasValue(62);
		assertThat(this.editor.write("search", "limit: 400/min", request(62, "carol")).version()).hasValue(63);
	}

	@Test
	void aDryRunChangesNothing() {
		this.application.follow(this.source);
		EditResult result = this.editor.write("search", "{limit: 200/min, algorithm: gcra}",
				new EditRequest(0, "alice", "", true));
		assertThat(result.version()).isEmpty();
		assertThat(result.changes()).singleElement()
			.satisfies((change) -> assertThat(change.to()).hasValue("200/min gcra"));
		assertThat(result.warnings()).containsExactly("search: another algorithm starts with full buckets", "2 builds");
		assertThat(this.source.newest()).isEmpty();
		assertThat(this.application.limit("search")).isEqualTo("100/min");
		assertThat(this.told).isEmpty();
	}

	@Test
	void aLimitOf0WarnsThatAllRequestsAreRejected() {
		this.application.follow(this.source);
		String warning = "search: a limit of 0 rejects all requests that the rule matches, with 403";
		EditRequest dryRun = new EditRequest(0, "alice", "", true);
		assertThat(this.editor.write("search", "limit: 0/min", dryRun).warnings()).contains(warning);
		assertThat(this.editor.write("search", "limit: 0/min", request(0, "alice")).warnings()).contains(warning);
		assertThat(this.editor.write("login", "limit: 6/min", request(1, "alice")).warnings()).doesNotContain(warning);
	}

	@Test
	void aLimitThatReplacesOneWithABurstWarnsThatTheBurstIsNotKept() {
		this.application.follow(this.source);
		this.editor.write("search", "limit: 100/min burst 150", request(0, "alice"));
		String warning = "search: the former burst of 150 is not kept; the capacity of 200/min is now 200";
		EditRequest dryRun = new EditRequest(1, "alice", "", true);
		assertThat(this.editor.write("search", "limit: 200/min", dryRun).warnings()).contains(warning);
		assertThat(this.editor.write("search", "limit: 200/min burst 300", dryRun).warnings()).doesNotContain(warning);
	}

	@Test
	void invalidEditIsNotWritten() {
		this.application.follow(this.source);
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> this.editor.write("search", "limit: soon", request(0, "alice")))
			.withMessageContaining("memory 1: rules.search.limit");
		assertThatIllegalArgumentException().isThrownBy(() -> this.editor.write("search", "[]", request(0, "alice")));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.editor.write("serach", "limit: 1/s", request(0, "alice")))
			.withMessageStartingWith("there is no rule 'serach'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.editor.write("search", "limit: 1/s", request(7, "alice")))
			.withMessage("there is no version 7; the newest is 0");
		assertThat(this.source.newest()).isEmpty();
	}

	@Test
	void aRemovedEntryLeavesTheRuleOfTheApplication() throws Exception {
		this.application.follow(this.source);
		assertThat(this.editor.remove("search", request(0, "alice"))).isEmpty();
		this.editor.write("search", "limit: 200/min", request(0, "alice"));
		assertThat(this.editor.remove("search", request(1, "bob")).orElseThrow().version()).hasValue(2);
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("100/min");
	}

	@Test
	void rollbackWritesAFormerVersionAgain() throws Exception {
		this.application.follow(this.source);
		this.editor.write("search", "limit: 200/min", request(0, "alice"));
		this.editor.write("search", "limit: 300/min", request(1, "alice"));
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> this.editor.rollback(1, request(1, "bob")))
			.withMessage("the rules were changed since: the newest version is 2; you read 1");
		assertThat(this.editor.rollback(9, request(2, "bob"))).isEmpty();
		assertThat(this.editor.rollback(1, request(2, "bob")).orElseThrow().version()).hasValue(3);
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("200/min");
		assertThat(this.editor.history(10)).extracting(RuleVersion::version).containsExactly(3L, 2L, 1L);
	}

	@Test
	void aSourceThatIsOnlyReadHasDryRunsAndConflicts() {
		RuleSource place = new ReadOnly();
		this.application.follow(place);
		RuleEditor readOnly = editor(place);
		assertThat(readOnly.write("search", "limit: 200/min", new EditRequest(0, "alice", "", true)).changes())
			.hasSize(1);
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> readOnly.write("search", "limit: 200/min", request(0, "alice")))
			.withMessage("the rules in 'read-only' are read-only here; change them there");
	}

	@Test
	void anEditStartsOverIfSomebodyElseWroteMeanwhile() {
		RuleEditor raced = editor(new Raced(this.source, 4));
		assertThat(raced.write("search", "limit: 200/min", request(0, "alice")).version()).hasValue(5);
		assertThat(this.source.newest().orElseThrow().rules()).containsOnlyKeys("search", "login");
		RuleEditor lost = editor(new Raced(this.source, 5));
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> lost.write("search", "limit: 300/min", request(5, "alice")))
			.withMessage("the rules change too often; try again");
	}

	@Test
	void anUnavailableSourceIsToldAsSuch() {
		this.source.fail("timeout");
		assertThatExceptionOfType(RuleSourceException.class)
			.isThrownBy(() -> this.editor.write("search", "limit: 200/min", request(0, "alice")))
			.withMessage("timeout");
	}

	@Test
	void writeWithoutResponseReportsHowToVerifyIt() {
		RuleEditor lost = editor(new MemoryRuleSource() {

			@Override
			public synchronized WriteResult write(RuleEdit edit) {
				super.write(edit);
				throw new RuleSourceException("timeout", new IllegalStateException());
			}

		});
		assertThatExceptionOfType(RuleSourceException.class)
			.isThrownBy(() -> lost.write("search", "limit: 200/min", request(0, "alice")))
			.withMessage("timeout. If only the response was lost, the change was made: 'GET versions' shows it");
	}

	@Test
	void notesAreBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> new EditRequest(0, "a", "x".repeat(201), false));
		assertThatIllegalArgumentException().isThrownBy(() -> new EditRequest(0, "a", "x\ny", false));
		assertThat(new EditRequest(0, "a\nb", "", false).user()).isEqualTo("a?b");
	}

	private static EditRequest request(long version, String user) {
		return new EditRequest(version, user, "why", false);
	}

	private static final class ReadOnly implements RuleSource {

		@Override
		public String name() {
			return "read-only";
		}

		@Override
		public void start(Consumer<? super RuleSource.Reading> receiver) {
			receiver.accept(new RuleSource.Absent());
		}

		@Override
		public void close() {
			// No resource was opened.
		}

	}

	/**
	 * A source to which another user writes first, a given number of times.
	 */
	private static final class Raced extends MemoryRuleSource {

		private final MemoryRuleSource source;

		private int times;

		Raced(MemoryRuleSource source, int times) {
			this.source = source;
			this.times = times;
		}

		@Override
		public synchronized Optional<RuleDocument> newest() {
			return this.source.newest();
		}

		@Override
		public synchronized WriteResult write(RuleEdit edit) {
			if (this.times > 0) {
				this.times--;
				RuleDocument now = this.source.newest().orElse(null);
				Map<String, Object> next = new TreeMap<>((now != null) ? now.rules() : Map.of());
				next.put("login", Map.of("limit", (7 + this.times) + "/min"));
				this.source
					.write(new RuleEdit((now != null) ? now.version() : 0, next, Map.of(), "other", "", List.of()));
			}
			return this.source.write(edit);
		}

	}

}
