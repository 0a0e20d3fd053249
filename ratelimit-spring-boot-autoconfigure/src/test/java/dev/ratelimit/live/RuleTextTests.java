package dev.ratelimit.live;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RuleTextTests {

	@Test
	void yamlAndJsonAreTheSameDocument() {
		Map<String, Object> yaml = RuleText.document("""
				rules:
				  search:
				    limit: 200/min
				    burst: 0x10
				    paths: [/search, "/find"]
				    plans:
				      a.b: 1/s
				""");
		assertThat(yaml).isEqualTo(Map.of("search", Map.of("limit", "200/min", "burst", "0x10", "paths",
				List.of("/search", "/find"), "plans", Map.of("a.b", "1/s"))));
		assertThat(RuleText.document("{\"rules\":{\"search\":{\"burst\":12,\"programmatic\":true,\"zone\":null}}}"))
			.isEqualTo(Map.of("search", Map.of("burst", "12", "programmatic", "true", "zone", "null")));
	}

	@Test
	void aLineStandsForTheMapOfItsProperties() {
		Map<String, Object> map = RuleText
			.document("rules: {login: {methods: POST, paths: [/login, /signup], limit: 5/min burst 9, key: ip}}");
		assertThat(RuleText.document("rules: {login: 'POST /login, /signup 5/min burst 9 per ip'}")).isEqualTo(map);
		assertThat(RuleText.definition("POST /login,/signup 5/min burst 9 per ip")).isEqualTo(map.get("login"));
		assertThat(RuleText.definition("\"20 concurrent\"")).isEqualTo(Map.of("limit", "20 concurrent"));
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.definition("[5/min]"))
			.withMessage("a definition must be a map or a line");
	}

	@Test
	void writtenContentIsReadBack() {
		Map<String, Object> rules = Map.of("search",
				Map.of("limit", "1/s", "key", List.of("header:X-\"\\"), "plans", Map.of("ä", "2/s")));
		assertThat(RuleText.document(RuleText.of(rules))).isEqualTo(rules);
		assertThat(RuleText.document(RuleText.of(Map.of()))).isEmpty();
	}

	@Test
	void orderDoesNotChangeTheDigest() {
		String one = "rules: {a: {limit: 1/s, burst: 2}, b: {limit: 1/s}}";
		String other = "rules: {b: {limit: 1/s}, a: {burst: 2, limit: 1/s}}";
		assertThat(RuleText.digest(RuleText.document(one))).isEqualTo(RuleText.digest(RuleText.document(other)))
			.matches("[0-9a-f]{32}")
			.isNotEqualTo(RuleText.digest(RuleText.document("rules: {a: {limit: 1/s}}")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \n", "# nothing\n", "\uFEFF" })
	void emptyTextIsNoDocument(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document(text)).withMessageContaining("empty");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`', value = { "rules:~'rules' must be a map",
			"rules: [a]~'rules' must be a map", "[a]~a document must be a map",
			"rulez: {}~must have 'rules' and nothing else",
			"{rules: {}, defaults: {}}~must have 'rules' and nothing else",
			"{rules: {a: [1/s]}}~rules.a must be a map or a line",
			"{rules: {a: /a 1/s pre ip}}~rules.a: the key 'ip' must follow 'per'; write a line such as",
			"{rules: {a: ''}}~rules.a is empty", "{rules: {a: {}}}~rules.a is empty",
			"{rules: {a: {paths: []}}}~rules.a.paths is empty", "{rules: {a: {limit: ''}}}~rules.a.limit is empty",
			"{rules: {a: {limit: }}}~rules.a.limit is empty", "{rules: {a: {plans: {}}}}~rules.a.plans is empty",
			"{rules: {a: {'b[c]': d}}}~a name with a bracket",
			"{rules: {a: {limit: 1/s, limit: 2/s}}}~line 1: 'limit' is there twice",
			"{rules: {a: {limit: 1/s}, a: {limit: 2/s}}}~line 1: 'a' is there twice",
			"{rules: {a: &x {limit: 1/s}, b: *x}}~line 1: anchors are not allowed",
			"{rules: {a: !!java.net.URL {limit: 1/s}}}~line 1: tags are not allowed",
			"{rules: {a: {limit: !!int 5}}}~line 1: tags are not allowed",
			"{rules: {a: {? [x] : y}}}~line 1: a name must be a text",
			"{rules: {a: {limit: \"1\\u0007\"}}}~rules.a.limit has a control character",
			"{rules: {a: {limit: \"1\\u202e\"}}}~rules.a.limit has a control character",
			"{rules: {\"a\\n\": {limit: 1/s}}}~rules has a control character",
			"{rules: {a: {limit: \"1\\ufffe\"}}}~rules.a.limit has a character that YAML cannot have",
			"{rules: {a: {limit: \"1\\ud800\"}}}~rules.a.limit has a character that YAML cannot have",
			"{rules: {a: {b: {c: {d: {e: {f: {g: {h: {i: {j: k}}}}}}}}}}}~nested too deeply", "{rules: {a: ~line 1: " })
	void documentsThatCannotBeUsedAreRejectedInWords(String text, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document(text)).withMessageContaining(reason);
	}

	@Test
	void aSecondDocumentIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document("rules: {}\n---\nrules: {}\n"))
			.withMessage("line 2: there is a second document");
	}

	@Test
	void theMergeKeyIsAPropertyLikeAnother() {
		assertThat(RuleText.document("rules: {a: {<<: {limit: 1/s}}}"))
			.isEqualTo(Map.of("a", Map.of("<<", Map.of("limit", "1/s"))));
	}

	@Test
	void aBombOfAliasesIsRejectedAtItsFirstAnchor() {
		String bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n"
				+ "rules: {x: {paths: *c}}\n";
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document(bomb))
			.withMessage("line 1: anchors are not allowed");
	}

	@Test
	void deepNestingDoesNotOverflowTheStack() {
		String deep = "rules: " + "[".repeat(100_000);
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document(deep)).withMessageContaining("line 1");
	}

	@Test
	void boundsHold() {
		assertThat(RuleText.document(many(2000))).hasSize(2000);
		assertThatIllegalArgumentException().isThrownBy(() -> RuleText.document(many(2001)))
			.withMessage("a document must have at most 2000 rules");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RuleText.document("rules: {a: {limit: " + "1".repeat(1 << 20) + "}}"))
			.withMessageContaining("at most 1048576 characters");
	}

	@Test
	void documentsOfASourceOfTheApplicationAreCheckedAlike() {
		RuleTree.check(Map.of());
		RuleTree.check(Map.of("a", Map.of("limit", "1/s")));
		assertThatIllegalArgumentException().isThrownBy(() -> RuleTree.check(Map.of("a", Map.of("burst", 5))))
			.withMessage("rules.a.burst must be a text, a list, or a map");
	}

	private static String many(int rules) {
		StringBuilder text = new StringBuilder("rules:\n");
		for (int i = 0; i < rules; i++) {
			text.append("  r").append(i).append(": {limit: 1/s}\n");
		}
		return text.toString();
	}

}
