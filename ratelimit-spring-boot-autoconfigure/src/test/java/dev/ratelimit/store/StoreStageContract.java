package dev.ratelimit.store;

/**
 * The contract of the built-in stores: the contract of all stores, releases that delete
 * replay markers, and slots that instances renew.
 */
public interface StoreStageContract extends LimitStoreContract, ReleaseContract, HoldingContract {

}
