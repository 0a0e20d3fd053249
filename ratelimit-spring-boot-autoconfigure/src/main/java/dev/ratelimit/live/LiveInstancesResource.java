package dev.ratelimit.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;

/**
 * Internal: the resource {@code instances}, with the rules that each instance applies.
 *
 * @param report the reports of instances
 */
record LiveInstancesResource(InstanceReport report) implements LiveResource {

	@Override
	public String name() {
		return "instances";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		List<InstanceBoard.Seen> instances = this.report.instances();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", instances.stream().mapToLong((seen) -> seen.state().version()).max().orElse(0));
		description.put("unknown", this.report.unknown(instances));
		description.put("instances", instances.stream().map(LiveInstancesResource::of).toList());
		return Optional.of(description);
	}

	private static Map<String, Object> of(InstanceBoard.Seen seen) {
		InstanceState state = seen.state();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("id", state.id());
		description.put("host", state.host());
		description.put("version", state.version());
		description.put("digest", state.digest());
		description.put("base", state.base());
		description.put("document", state.document());
		description.put("lagMillis", state.lagMillis());
		state.rejected().ifPresent((reason) -> description.put("rejected", reason));
		description.put("notApplied", state.notApplied());
		description.put("seenMillisAgo", seen.millisAgo());
		return description;
	}

}
