package dev.ratelimit.actuate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Changes;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.base.UnavailableException;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests releases of subjects of which only a part succeeds.
 */
class LiveSubjectResourceTests {

	private final List<Object> events = new ArrayList<>();

	private final Map<String, CompletableFuture<Boolean>> lifts = new LinkedHashMap<>();

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, System::currentTimeMillis));

	private final LiveSubjectResource resource = new LiveSubjectResource(this.engine,
			List.of((subject, user) -> new Changes(this.lifts)), ClientAddresses.OF_PEER, this.events::add);

	private final LiveRequest request = new LiveRequest(List.of(), Map.of("subject", "user:bob"), Optional.empty(),
			RulePermit.ALL);

	@Test
	void aPartThatWasReleasedIsAuditedAlthoughAnotherPartFails() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("search").limits("5/min").key("user").build()));
		this.lifts.put("login", CompletableFuture.failedFuture(new IllegalStateException("stopped")));
		this.lifts.put("search", CompletableFuture.completedFuture(true));
		assertThatExceptionOfType(UnavailableException.class).isThrownBy(() -> this.resource.delete(this.request));
		assertThat(this.events).singleElement()
			.asInstanceOf(InstanceOfAssertFactories.type(UserEdit.class))
			.extracting(UserEdit::changes)
			.isEqualTo(List.of("reset [search], lifted [search] user:bob"));
	}

	@Test
	void aBanThatHasEndedMeanwhileIsNotNamedAsLifted() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("search").limits("5/min").key("user").build()));
		this.lifts.put("search", CompletableFuture.completedFuture(false));
		assertThat(this.resource.delete(this.request)).hasValueSatisfying((released) -> assertThat(released)
			.hasToString("{subject=user:bob, reset=[search], notReset=[], lifted=[]}"));
	}

}
