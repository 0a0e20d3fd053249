package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.actuate.LiveAccess;
import dev.ratelimit.actuate.LiveBansResource;
import dev.ratelimit.actuate.LiveCandidateResource;
import dev.ratelimit.actuate.LiveInstancesResource;
import dev.ratelimit.actuate.LiveOverview;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.LiveRulesResource;
import dev.ratelimit.actuate.LiveSwitchesResource;
import dev.ratelimit.actuate.LiveTopResource;
import dev.ratelimit.actuate.LiveVersionsResource;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.CandidateEditor;
import dev.ratelimit.live.CandidateStore;
import dev.ratelimit.live.EditListener;
import dev.ratelimit.live.InstanceReport;
import dev.ratelimit.live.LiveCandidate;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.Namespaces;
import dev.ratelimit.live.RuleEditor;
import dev.ratelimit.live.Switches;
import dev.ratelimit.security.PrincipalAuthorities;
import dev.ratelimit.telemetry.TopSubjects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint that changes
 * rules and sets switches.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitLiveAutoConfiguration.class,
		RateLimitBanAutoConfiguration.class, RateLimitTelemetryAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
@Import({ RuleEditingConfiguration.class, SwitchesConfiguration.class })
public final class RateLimitLiveEndpointAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitLiveEndpointAutoConfiguration.class);

	/** Of the filters of Spring Security, on either stack. */
	private static final List<String> CHAINS = List.of("org.springframework.security.web.SecurityFilterChain",
			"org.springframework.security.web.server.SecurityWebFilterChain");

	@Bean
	LiveRulesResource rateLimitLiveRulesResource(RuleEditor editor, Editions editions, Namespaces namespaces) {
		return new LiveRulesResource(editor, editions, namespaces);
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
	@ConditionalOnBean(Bans.class)
	LiveBansResource rateLimitLiveBansResource(Bans bans, RateLimitEngine engine, EditListener listener) {
		return new LiveBansResource(bans, engine, listener);
	}

	@Bean
	@ConditionalOnBean(LiveCandidate.class)
	LiveCandidateResource rateLimitLiveCandidateResource(LiveCandidate candidate, CandidateStore store,
			RuleEditor editor, ObjectProvider<EditListener> listener) {
		return new LiveCandidateResource(candidate,
				new CandidateEditor(editor, store, listener.getIfAvailable(() -> EditListener.NONE)));
	}

	@Bean
	@ConditionalOnBean(TopSubjects.class)
	LiveTopResource rateLimitLiveTopResource(TopSubjects subjects) {
		return new LiveTopResource(subjects);
	}

	@Bean
	@ConditionalOnMissingBean
	LiveAccess rateLimitLiveAccess(RateLimitProperties properties, ListableBeanFactory beans, ResourceLoader resources,
			Namespaces namespaces) {
		boolean unguarded = properties.live().anonymousWrites() && !isSecured(beans, resources.getClassLoader());
		if (unguarded) {
			logger.warn("'ratelimit.live.anonymous-writes' is 'true': everybody who reaches the actuator endpoint"
					+ " 'ratelimitlive' can change rules");
		}
		return new LiveAccess(properties.authorities().write(), properties.authorities().operate(),
				(principal) -> PrincipalAuthorities.of(principal, resources.getClassLoader()), unguarded, namespaces);
	}

	private static boolean isSecured(ListableBeanFactory beans, @Nullable ClassLoader classes) {
		return CHAINS.stream()
			.filter((name) -> ClassUtils.isPresent(name, classes))
			.map((name) -> ClassUtils.resolveClassName(name, classes))
			.anyMatch((type) -> beans.getBeanNamesForType(type, true, false).length > 0);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitLiveEndpoint rateLimitLiveEndpoint(ObjectProvider<LiveRules> rules, Switches switches,
			ObjectProvider<LiveResource> resources, LiveAccess access) {
		Optional<LiveRules> live = rules.stream().findFirst();
		return new RateLimitLiveEndpoint(new LiveOverview(live, switches), resources.stream().toList(), access);
	}

}
