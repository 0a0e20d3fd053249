package dev.ratelimit.live;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RuleCacheTests {

	@TempDir
	Path directory;

	@Test
	void theLongestDocumentIsReadBack() {
		Map<String, Object> rules = new LinkedHashMap<>();
		Map<String, RuleRevision> revisions = new LinkedHashMap<>();
		for (int i = 0; i < 2000; i++) {
			rules.put("rule-" + i, Map.of("limit", "1/s", "paths", "/" + "a".repeat(450)));
			revisions.put("rule-" + i, new RuleRevision(1, Instant.EPOCH, "alice", "n\"".repeat(100), Map.of()));
		}
		RuleDocument document = new RuleDocument(1, RuleText.digest(rules), rules, revisions, OptionalLong.empty());
		assertThat(RuleText.of(rules).length()).isLessThan(RuleTree.MAX_CHARACTERS);
		Path file = this.directory.resolve("rules.cache");
		new RuleCache(file, "redis").write(document);
		assertThat(new RuleCache(file, "redis").read()).as("after a restart")
			.hasValueSatisfying((read) -> assertThat(read.rules()).isEqualTo(rules));
	}

	// The version of the document is a time, which exceeds all versions of Redis.
	@Test
	void theRulesOfAnotherSourceAreNotUsed() {
		Map<String, Object> rules = Map.of("login", Map.of("limit", "1/s"));
		RuleDocument document = new RuleDocument(1_795_493_289, RuleText.digest(rules), rules, Map.of(),
				OptionalLong.empty());
		Path file = this.directory.resolve("rules.cache");
		new RuleCache(file, "file").write(document);
		assertThat(new RuleCache(file, "file").read())
			.hasValueSatisfying((read) -> assertThat(read.rules()).isEqualTo(rules));
		assertThat(new RuleCache(file, "redis").read()).isEmpty();
		assertThat(new RuleCache(file, "redis").switches()).isEmpty();
	}

}
