package dev.ratelimit.live.redis;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.candidate.CandidateApplication;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.LiveStatus;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.edit.EditRequest;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that two builds of an application, and two versions of the library, read the same
 * rules in Redis during a rollout.
 */
@Tag("redis")
class TwoBuildsTests {

	private static final String HEAD = "rl:orders:{live}:head";

	private static final String VERSIONS = "rl:orders:{live}:versions";

	private static TestRedis redis;

	private static CandidateApplication former;

	private static CandidateApplication next;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		former = build("--ratelimit.rules.search.limit=100/h", "--ratelimit.rules.gone.limit=50/h",
				"--ratelimit.rules.gone.programmatic=true", "--ratelimit.rules.kept.limit=20/h",
				"--ratelimit.rules.kept.programmatic=true");
		next = build("--ratelimit.rules.search.limit=500/h", "--ratelimit.rules.added.limit=30/h",
				"--ratelimit.rules.added.programmatic=true", "--ratelimit.rules.kept.limit=20/h",
				"--ratelimit.rules.kept.programmatic=true", "--ratelimit.rules.kept.locked=true");
	}

	// With the clocks of the instances, edits become active immediately.
	private static CandidateApplication build(String... rules) {
		String[] properties = new String[rules.length + 2];
		System.arraycopy(rules, 0, properties, 0, rules.length);
		properties[rules.length] = "--ratelimit.redis.clock=client";
		properties[rules.length + 1] = "--ratelimit.deadline=20s";
		return new CandidateApplication(redis, "orders", properties);
	}

	@AfterAll
	static void stop() {
		next.close();
		former.close();
		redis.close();
	}

	@Test
	void anEditOfACommonRuleIsActiveInBothAndTellsThatTheRuleItselfHasChanged() {
		long version = edit(former, "search", "limit: 200/h");
		awaitBoth(version);
		assertThat(limit(former, "search")).isEqualTo("200/h");
		assertThat(limit(next, "search")).isEqualTo("200/h");
		assertThat(status(former).changedBase()).isEmpty();
		assertThat(status(next).changedBase())
			.contains("version " + version + " (alice) replaced search.limit 100/h by 200/h; this build says 500/h");
	}

	@Test
	void entriesThatOneBuildCannotApplyWaitAndHoldNothingUp() {
		edit(next, "added", "limit: 40/h");
		edit(former, "gone", "limit: 5/h");
		awaitBoth(edit(former, "kept", "limit: 6/h"));
		assertThat(notApplied(former)).contains("added").doesNotContain("gone", "kept");
		assertThat(notApplied(next)).contains("gone", "kept").doesNotContain("added");
		assertThat(limit(former, "kept")).isEqualTo("6/h");
		assertThat(limit(former, "gone")).isEqualTo("5/h");
		assertThat(limit(next, "kept")).isEqualTo("20/h");
		assertThat(limit(next, "added")).isEqualTo("40/h");
		assertThatIllegalArgumentException().isThrownBy(() -> edit(next, "gone", "limit: 7/h"))
			.withMessageContaining("there is no rule 'gone'");
	}

	// If the other instances have not served a client since the edits, its usage is still
	// in the former bucket.
	@Test
	void anInstanceThatStartsAfterAnEditTakesOverWhatWasUsedBefore() {
		former.charge("other", "user:eve", 600_000);
		edit(former, "other", "limit: 500000/h");
		awaitBoth(edit(former, "other", "limit: 900000/h"));
		try (CandidateApplication third = build("--ratelimit.rules.search.limit=500/h")) {
			Decision decision = third.charge("other", "user:eve", 1);
			assertThat(decision.verdicts().get(0).remaining()).isLessThan(600_000);
		}
	}

	@Test
	void unknownFieldsOfNewerVersionAreIgnored() {
		Map<String, Object> rules = Map.of("search", Map.of("limit", "300/h"));
		long version = writeByHand(rules);
		awaitBoth(version);
		assertThat(limit(former, "search")).isEqualTo("300/h");
		assertThat(former.bean(RedisRuleSource.class).history(1)).singleElement().satisfies((written) -> {
			assertThat(written.user()).isEqualTo("eve");
			assertThat(written.changes()).singleElement()
				.hasToString("RuleChange[rule=search, property=limit, " + "from=Optional.empty, to=Optional[300/h]]");
		});
		awaitBoth(edit(former, "search", "limit: 310/h"));
		assertThat(redis.command("HGET", HEAD, "schema")).as("belonged to the version before").isEqualTo("(nil)");
	}

	@Test
	void aPropertyThatABuildDoesNotKnowRejectsTheVersionsThatHaveIt() {
		awaitBoth(edit(former, "search", "limit: 320/h"));
		long version = writeByHand(Map.of("search", Map.of("limit", "400/h", "colour", "red")));
		for (CandidateApplication build : List.of(former, next)) {
			Awaitility.await().untilAsserted(() -> assertThat(status(build).rejected().orElse("")).contains("colour"));
			assertThat(status(build).rejectedVersion()).hasValue(version);
			assertThat(limit(build, "search")).as("the rules before").isEqualTo("320/h");
		}
		assertThatExceptionOfType(InvalidRuleException.class).as("written over what cannot be read")
			.isThrownBy(() -> edit(former, "other", "limit: 7/h"))
			.withMessageContaining("colour");
		awaitBoth(edit(former, "search", "limit: 330/h"));
		assertThat(limit(next, "search")).isEqualTo("330/h");
		assertThat(status(next).rejected()).isEmpty();
		long unusable = writeByHand(Map.of("search", Map.of("colour", "red")));
		awaitBoth(editor(former).rollback(version - 1, new EditRequest(unusable, "alice", "", false))
			.orElseThrow()
			.version()
			.getAsLong());
		assertThat(limit(next, "search")).isEqualTo("320/h");
	}

	@Test
	void contentThatCannotBeReadIsRepairedAfterARestartToo() {
		long readable = edit(former, "search", "limit: 340/h");
		awaitBoth(readable);
		long unreadable = writeByHand(Map.of("search", Map.of("limit", "400/h")), "{\"rules\": \ufffe}");
		Awaitility.await().untilAsserted(() -> assertThat(status(next).rejectedVersion()).hasValue(unreadable));
		try (CandidateApplication restarted = build("--ratelimit.rules.search.limit=100/h")) {
			assertThat(restarted.version()).isEqualTo(readable);
			assertThatExceptionOfType(RuleSourceException.class)
				.isThrownBy(() -> edit(restarted, "search", "limit: 7/h"))
				.withMessageContaining("cannot be read")
				.withMessageContaining("POST versions/" + readable);
			assertThat(editor(restarted).rollback(readable, new EditRequest(unreadable, "alice", "", false)))
				.isPresent();
			awaitBoth(unreadable + 1);
			Awaitility.await().until(() -> restarted.version() == unreadable + 1);
			assertThat(limit(restarted, "search")).isEqualTo("340/h");
		}
		assertThat(edit(next, "search", "limit: 350/h")).isEqualTo(unreadable + 2);
	}

	// Write a document in the format of a later minor version.
	private static long writeByHand(Map<String, Object> rules) {
		return writeByHand(rules, RuleText.of(rules));
	}

	private static long writeByHand(Map<String, Object> rules, String text) {
		long version = former.bean(RedisRuleSource.class).newest().map((newest) -> newest.version()).orElse(0L) + 1;
		String digest = RuleText.digest(rules);
		String meta = "{\"user\":\"eve\",\"note\":\"\",\"ticket\":7,\"changes\":[{\"rule\":\"search\","
				+ "\"property\":\"limit\",\"to\":\"300/h\",\"why\":{\"later\":true}}]}";
		String revisions = "{\"search\":{\"version\":" + version + ",\"at\":\"2027-01-01T00:00:00Z\",\"user\":\"eve\","
				+ "\"note\":\"\",\"replaced\":{},\"reviewed\":[\"bob\"]}}";
		redis.command("HSET", VERSIONS, Long.toString(version), "1795255000123 " + digest + " " + meta,
				version + ":text", text);
		redis.command("HSET", HEAD, "version", Long.toString(version), "digest", digest, "activate", "0", "at",
				"1795255000123", "meta", meta, "text", text, "revisions", revisions, "schema", "2");
		return version;
	}

	private static long edit(CandidateApplication build, String rule, String definition) {
		long head = editor(build).present().map((document) -> document.version()).orElse(0L);
		return editor(build).write(rule, definition, new EditRequest(head, "alice", "", false)).version().getAsLong();
	}

	private static RuleEditor editor(CandidateApplication build) {
		return new RuleEditor(Optional.of(build.bean(RuleSource.class)), build.bean(EffectiveRules.class), (event) -> {
		}, List::of);
	}

	private static void awaitBoth(long version) {
		Awaitility.await().until(() -> former.version() == version && next.version() == version);
	}

	private static LiveStatus status(CandidateApplication build) {
		return build.bean(LiveRules.class).status();
	}

	private static String notApplied(CandidateApplication build) {
		return status(build).notApplied().toString();
	}

	private static String limit(CandidateApplication build, String rule) {
		return build.bean(Editions.class).current().rules().rules().get(rule).limits().get(0).toString();
	}

}
