package dev.ratelimit.kotlin.guide

import dev.ratelimit.KeyResolver
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

@Configuration
class LimitConfiguration {

	@Bean
	fun tenant() = KeyResolver { request -> request.header("X-Tenant") }

}
