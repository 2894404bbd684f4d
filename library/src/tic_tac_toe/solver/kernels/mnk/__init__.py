"""The kernel for m,n,k games without gravity in normal play."""
