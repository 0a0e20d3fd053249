package dev.ratelimit.kotlin.guide

import dev.ratelimit.RateLimited
import dev.ratelimit.RateLimiter
import dev.ratelimit.Subject
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.stereotype.Service

@Service
class ExportService(private val limiter: RateLimiter) {

	@RateLimited("2/h", key = ["arg:tenant"], id = "export")
	suspend fun export(tenant: String): String = "exported $tenant"

	suspend fun mail(tenant: String): Boolean = limiter.acquire("mail", Subject.of("tenant", tenant)).awaitSingle().allowed()

}
