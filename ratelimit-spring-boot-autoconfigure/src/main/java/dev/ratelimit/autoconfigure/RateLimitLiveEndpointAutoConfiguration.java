package dev.ratelimit.autoconfigure;

import java.util.Optional;

import dev.ratelimit.actuate.FailureStatus;
import dev.ratelimit.actuate.LiveAccess;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.base.EditListener;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.candidate.CandidateEditor;
import dev.ratelimit.candidate.CandidateStore;
import dev.ratelimit.candidate.LiveCandidate;
import dev.ratelimit.candidate.LiveCandidateResource;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.InstanceReport;
import dev.ratelimit.live.LiveInstancesResource;
import dev.ratelimit.live.LiveOverview;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.LiveSwitchesResource;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.Switches;
import dev.ratelimit.live.SwitchesConfiguration;
import dev.ratelimit.live.edit.LiveRulesResource;
import dev.ratelimit.live.edit.LiveVersionsResource;
import dev.ratelimit.live.edit.RuleEditor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint that changes
 * rules and sets switches.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitLiveAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
@Import({ RuleEditingConfiguration.class, LiveAccessConfiguration.class, SwitchesConfiguration.class })
public final class RateLimitLiveEndpointAutoConfiguration {

	@Bean
	LiveRulesResource rateLimitLiveRulesResource(RuleEditor editor, Editions editions, Namespaces namespaces) {
		return new LiveRulesResource(editor, editions, namespaces);
	}

	@Bean
	FailureStatus<RuleSourceException> rateLimitRuleSourceFailure() {
		return new FailureStatus<>(RuleSourceException.class, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
	}

	@Bean
	LiveVersionsResource rateLimitLiveVersionsResource(RuleEditor editor) {
		return new LiveVersionsResource(editor);
	}

	@Bean
	@ConditionalOnBean(InstanceReport.class)
	LiveInstancesResource rateLimitLiveInstancesResource(InstanceReport report) {
		return new LiveInstancesResource(report);
	}

	@Bean
	LiveSwitchesResource rateLimitLiveSwitchesResource(Switches switches, EditListener listener) {
		return new LiveSwitchesResource(switches, listener);
	}

	@Bean
	@ConditionalOnBean(LiveCandidate.class)
	LiveCandidateResource rateLimitLiveCandidateResource(LiveCandidate candidate, CandidateStore store,
			RuleEditor editor, ObjectProvider<EditListener> listener) {
		return new LiveCandidateResource(candidate,
				new CandidateEditor(editor, store, listener.getIfAvailable(() -> EditListener.NONE)));
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitLiveEndpoint rateLimitLiveEndpoint(ObjectProvider<LiveRules> rules, Switches switches,
			ObjectProvider<LiveResource> resources, LiveAccess access, ObjectProvider<FailureStatus<?>> failures) {
		Optional<LiveRules> live = rules.stream().findFirst();
		return new RateLimitLiveEndpoint(new LiveOverview(live, switches), resources.stream().toList(), access,
				failures.stream().toList());
	}

}
