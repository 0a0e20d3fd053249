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
		new RuleCache(file).write(document);
		assertThat(new RuleCache(file).read()).as("after a restart")
			.hasValueSatisfying((read) -> assertThat(read.rules()).isEqualTo(rules));
	}

}
