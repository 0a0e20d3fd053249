package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Policy;

/**
 * Several formats in one response, or none. Immutable.
 *
 * @param formats the formats
 */
record JoinedFormat(List<HeaderFormat> formats) implements HeaderFormat {

	@Override
	public List<String> names() {
		return this.formats.stream().flatMap((format) -> format.names().stream()).toList();
	}

	@Override
	public void use(Collection<Policy> policies) {
		this.formats.forEach((format) -> format.use(policies));
	}

	@Override
	public void write(LimitSummary summary, List<HeaderField> fields) {
		for (HeaderFormat format : this.formats) {
			format.write(summary, fields);
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		Map<String, String> merged = new HashMap<>();
		this.formats.forEach((format) -> merged.putAll(format.merge(ours, theirs)));
		return merged;
	}

}
