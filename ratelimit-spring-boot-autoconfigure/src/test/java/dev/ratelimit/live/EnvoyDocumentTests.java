package dev.ratelimit.live;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EnvoyDocumentTests {

	@Test
	void eachDescriptorWithALimitIsARule() {
		Map<String, Object> rules = translate("""
				domain: messaging
				descriptors:
				  - key: message_type
				    value: marketing
				    descriptors:
				      - key: to_number
				        rate_limit: { unit: day, requests_per_unit: 5 }
				  - key: to_number
				    rate_limit:
				      unit: DAY
				      requests_per_unit: 100
				""").rules();
		assertThat(rules).containsOnlyKeys("messaging-message-type-marketing-to-number-84be49",
				"messaging-to-number-66e66b");
		assertThat(rules.get("messaging-message-type-marketing-to-number-84be49")).isEqualTo(Map.of("descriptor",
				Map.of("domain", "messaging", "entries", List.of("message_type=marketing", "to_number")), "key",
				List.of("entry:to_number"), "algorithm", "fixed-window", "limit", "5/d"));
	}

	@ParameterizedTest
	@CsvSource({ "second, 7/s", "minute, 7/min", "hour, 7/h", "day, 7/d", "week, 7/7d", "month, 7/30d",
			"year, 7/365d" })
	void unitsAreTheFixedWindowsOfEnvoysService(String unit, String limit) {
		assertThat(one("rate_limit: { unit: " + unit + ", requests_per_unit: 7 }")).containsEntry("limit", limit);
	}

	@Test
	void anUnlimitedAndABlockedDescriptor() {
		assertThat(one("rate_limit: { unlimited: true }")).containsEntry("limit", "unlimited");
		assertThat(one("rate_limit: { unit: hour, requests_per_unit: 0 }")).containsEntry("limit", "0/h");
		assertThat(one("rate_limit: { unit: hour }")).containsEntry("limit", "0/h");
		assertThat(one("value: x")).as("hides its siblings").containsEntry("limit", "unlimited");
		assertThat(one("shadow_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 }")).containsEntry("mode",
				"shadow");
	}

	@Test
	void theIdDependsOnDomainAndEntriesAlone() {
		String one = translate(document("rate_limit: { unit: day, requests_per_unit: 5 }")).rules().keySet().toString();
		assertThat(translate(document("rate_limit: { unit: hour, requests_per_unit: 6 }")).rules().keySet())
			.hasToString(one);
		assertThat(translate(document("value: x, rate_limit: { unit: hour, requests_per_unit: 6 }")).rules()
			.keySet()
			.toString()).isNotEqualTo(one);
		assertThat(translate("domain: '\u00fc 1'\ndescriptors: [{ key: '\u00e4' }]").rules().keySet()).singleElement()
			.asString()
			.matches("descriptor-[0-9a-f]{6}");
		assertThat(translate("domain: " + "x".repeat(200) + "\ndescriptors: [{ key: a }]").rules().keySet())
			.singleElement()
			.asString()
			.hasSizeLessThanOrEqualTo(64);
	}

	// The digits of these descriptors are equal, and so are the first words.
	@Test
	void descriptorsWithTheSameDigitsHaveDifferentIds() {
		Map<String, Object> rules = translate("""
				domain: edge-proxy
				descriptors:
				  - key: path
				    value: /internal/api/v1/organizations/projects/environments/9406
				    rate_limit: { unit: day, requests_per_unit: 1 }
				  - key: path
				    value: /internal/api/v1/organizations/projects/environments/9589
				    rate_limit: { name: other, unit: day, requests_per_unit: 2 }
				  - key: user
				    rate_limit: { unit: day, requests_per_unit: 3, replaces: [{ name: other }] }
				""").rules();
		assertThat(rules).hasSize(3).containsKey("edge-proxy-path-internal-api-v1-organizations-projects-e-0236f1");
		assertThat(rules.keySet()).allMatch((id) -> id.length() <= 64);
		assertThat(rules.values()).extracting("limit").containsExactly("1/d", "2/d", "3/d");
		assertThat(rules.values()).last().extracting("replaces").isEqualTo(List.of(List.copyOf(rules.keySet()).get(1)));
	}

	@Test
	void aSharedThresholdIsNoPartOfTheKey() {
		assertThat(one("value: 'a*', rate_limit: { unit: hour, requests_per_unit: 6 }")).containsEntry("key",
				List.of("entry:k"));
		assertThat(one("value: 'a*', share_threshold: true, rate_limit: { unit: hour, requests_per_unit: 6 }"))
			.containsEntry("key", List.of("global"));
	}

	@Test
	void namesThatAreReplacedAreRules() {
		EnvoyDocument.Translation translation = translate(
				"""
						domain: edge
						descriptors:
						  - { key: user, rate_limit: { name: users, unit: hour, requests_per_unit: 1 } }
						  - { key: vip, rate_limit: { unit: hour, requests_per_unit: 9, replaces: [{ name: users }, { name: others }] } }
						""");
		String user = translation.rules()
			.keySet()
			.stream()
			.filter((id) -> id.contains("user"))
			.findFirst()
			.orElseThrow();
		assertThat(translation.rules().values()).anySatisfy((rule) -> assertThat((Map<?, ?>) rule)
			.isEqualTo(Map.of("descriptor", Map.of("domain", "edge", "entries", List.of("vip")), "key",
					List.of("entry:vip"), "algorithm", "fixed-window", "limit", "9/h", "replaces", List.of(user))));
		assertThat(translation.warnings())
			.containsExactly("no limit has the name 'others', which another one replaces");
	}

	@Test
	void severalDomainsAreSeveralDocuments() {
		String text = "domain: a\ndescriptors: [{ key: k }]\n---\ndomain: b\ndescriptors: [{ key: k }]\n---\ndomain: c\n";
		assertThat(translate(text).rules().keySet()).extracting((id) -> id.substring(0, 3))
			.containsExactly("a-k", "b-k");
	}

	@Test
	void noEffectIsSaid() {
		assertThat(translate(document("detailed_metric: true, value_to_metric: true, metadata: { a: b }")).warnings())
			.containsExactly("edge.k.detailed_metric has no effect", "edge.k.metadata has no effect",
					"edge.k.value_to_metric has no effect");
		assertThat(
				translate("domain: edge\ndescriptors: [{ key: k, value: 'a*' }, { key: k, value: 'abc*' }]").warnings())
			.containsExactly("edge: of several wildcards, the longest goes first, whatever their order in the file");
		assertThat(
				translate("domain: edge\ndescriptors: [{ key: k, value: 'abc*' }, { key: k, value: 'a*' }]").warnings())
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					[{ key: k, quota_mode: true }]                                         | edge.k.quota_mode is not supported
					[{ key: k, rate: {} }]                                                 | edge.descriptors: there is no 'rate'
					[{ value: v }]                                                         | edge: the key of a descriptor is empty
					[{ key: a=b, rate_limit: { unit: hour, requests_per_unit: 1 } }]       | edge.a=b: a key must not contain '=', which separates it from its value in rules
					[{ key: k }, { key: k }]                                               | edge.k is there twice
					[{ key: k, value: v }, { key: k, value: v }]                           | edge.k=v is there twice
					[{ key: k, rate_limit: { unit: fortnight } }]                          | edge.k.rate_limit.unit = 'fortnight': it must be one of day, hour, minute, month, second, week, year
					[{ key: k, rate_limit: { requests_per_unit: 5 } }]                     | edge.k.rate_limit.unit = '': it must be one of day, hour, minute, month, second, week, year
					[{ key: k, rate_limit: { unit: day, unlimited: true } }]               | edge.k.rate_limit is unlimited, and has a unit
					[{ key: k, rate_limit: { unit: day, requests_per_unit: -1 } }]         | edge.k.rate_limit.requests_per_unit = '-1': it must be a number up to 4294967295
					[{ key: k, rate_limit: { unit: day, requests_per_unit: 4294967296 } }] | edge.k.rate_limit.requests_per_unit = '4294967296': it must be a number up to 4294967295
					[{ key: k, rate_limit: { unit: day, replaces: [{ name: '' }] } }]      | edge.k.rate_limit.replaces has an empty name
					[{ key: k, rate_limit: { name: x, unit: day, replaces: [{ name: x }] } }] | edge.k.rate_limit.replaces names the limit itself
					[{ key: k, rate_limit: { unit: day, replaces: [x] } }]                 | edge.k.rate_limit.replaces must be a map
					[{ key: k, value: v, share_threshold: true }]                          | edge.k: 'share_threshold' requires a value with '*'
					[{ key: k, shadow_mode: yes }]                                         | edge.k.shadow_mode must be 'true' or 'false'
					{ key: k }                                                             | edge.descriptors must be a list
					[k]                                                                    | edge.descriptors must be a map
					""")
	void badFilesAreRejected(String descriptors, String reason) {
		rejection("domain: edge\ndescriptors: " + descriptors, reason);
	}

	@Test
	void badDocumentsAreRejected() {
		rejection("domain: ''", "a document has no domain");
		rejection("domain: a\n---\ndescriptors: []", "a document has no domain");
		rejection("domain: a\n---\ndomain: a", "the domain 'a' is there twice");
		rejection("domain: a\nrules: {}", "the document: there is no 'rules'");
		rejection("domain: a\n---\n- b", "the document must be a map");
		String deep = "[{ key: k, descriptors: ".repeat(20) + "[]" + " }]".repeat(20);
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> translate("domain: a\ndescriptors: " + deep))
			.withMessageContaining("it is nested too deeply");
	}

	private static void rejection(String text, String reason) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> translate(text)).withMessage(reason);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> one(String descriptor) {
		return (Map<String, Object>) translate(document(descriptor)).rules().values().iterator().next();
	}

	private static String document(String descriptor) {
		return "domain: edge\ndescriptors: [{ key: k, " + descriptor + " }]";
	}

	private static EnvoyDocument.Translation translate(String text) {
		List<Object> documents = YamlTree.readAll(text, EnvoyDocument.MAX_DEPTH);
		assertThat(EnvoyDocument.isOne(documents)).isTrue();
		return EnvoyDocument.translate(documents);
	}

}
