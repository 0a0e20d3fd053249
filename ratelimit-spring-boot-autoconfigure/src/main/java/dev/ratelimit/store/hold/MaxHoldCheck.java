package dev.ratelimit.store.hold;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Internal: reports slots that were freed because they were held for too long.
 *
 * @param ended supplies the number of freed slots by the id of the rule
 */
public record MaxHoldCheck(Supplier<Map<String, Long>> ended) implements Check {

	@Override
	public List<Finding> findings() {
		return this.ended.get()
			.entrySet()
			.stream()
			.map((rule) -> new Finding(FindingCode.MAX_HOLD, "ratelimit.rules." + rule.getKey() + ".max-hold",
					rule.getValue() + " slots were freed after this time because nothing released them."))
			.toList();
	}

}
